import { ObjectId } from 'mongodb'
import { expect, vi } from 'vitest'
import { CLAIM_TTL_MS } from '#lib/contract/limits'
import type { Deps } from '#lib/deps'
import { createSweep } from '#lib/domain/requests/approval/clean-up'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { Logger } from '#lib/infrastructure/observability/log'
import type { TransportOptions } from '#lib/infrastructure/sources/transport/client'
import { filesFolder } from '#lib/infrastructure/storage/local-storage'
import type { TestBucket } from '../processes/s3-bucket.ts'
import { insertRequest } from '../rows/rows.ts'
import { closeAtEnd } from '../service/close-at-end.ts'
import { acquireDatabase, releaseDatabase } from '../service/database-pool.ts'
import { BUSY_MACHINE_MS, startService } from '../service/start-service.ts'
import { createFastSources } from '../stand-ins/fast-sources.ts'
import { startImageHost } from '../stand-ins/image-host.ts'
import { startVndbStandIn } from '../stand-ins/vndb.ts'
import { listFiles } from '../tools/list-files.ts'
import { createStrikes } from './strikes.ts'

type Request = Pick<ContentRequestDocument, '_id'>

interface Options extends Partial<Pick<Deps, 'storage'>> {
  bucket?: TestBucket
  transport?: Pick<TransportOptions, 'attemptMs' | 'callMs'>
  log?: Logger
  mongodbUri?: string
  env?: Record<string, string>
}

export type ApprovalsScene = Awaited<ReturnType<typeof startApprovalsScene>>

/** A service on local files, or on a bucket, with a host of images and VNDB beside it. */
export async function startApprovalsScene(options: Options = {}) {
  const { bucket, transport, env: own, mongodbUri = await acquireDatabase(), ...parts } = options
  const { failpoint, strikeAt } = createStrikes()
  const [host, vndb] = await Promise.all([startImageHost(), startVndbStandIn()])
  const env = { ...vndb.env, ...bucket?.env, IMAGE_FETCH_ALLOW: host.place, ...own }
  const service = await startService({
    env,
    sources: createFastSources(env, transport),
    mongodbUri,
    failpoint,
    ...parts,
    ...(options.mongodbUri === undefined && { timeoutMs: BUSY_MACHINE_MS }),
  })
  const admin = await service.caller({ isAdmin: true })
  const { contentRequests, games, characters } = service.db
  const sweep = createSweep(service.deps)

  const read = async ({ _id }: Request): Promise<ContentRequestDocument> => {
    const request = await contentRequests.findOne({ _id })
    if (request === null) throw new Error(`there is no request ${_id}`)
    return request
  }

  return {
    service,
    admin,
    host,
    vndb,
    strikeAt,
    /** The environment of another process with the same database, storage and stand-ins. */
    env: { ...env, PORT: '0', MONGODB_URI: mongodbUri, DATA_DIR: service.deps.config.dataDir },
    insert: (facts?: Partial<ContentRequestDocument>) => insertRequest(service.db, facts),
    decide: ({ _id }: Request, body?: Record<string, unknown>, caller = admin) =>
      caller.post(`/requests/${_id.toHexString()}/decision`, { body: { decision: 'approve', ...body } }),
    read,
    /** Dates a claim back until it has ended. */
    async letClaimPass({ _id }: Request) {
      const claimedAt = new Date(Date.now() - CLAIM_TTL_MS - 1_000)
      await contentRequests.updateOne({ _id }, { $set: { claimedAt, claimedBy: new ObjectId() } })
    },
    objects: () => bucket?.listKeys() ?? listFiles(filesFolder(service.deps.config)),
    entries: async () => ({
      games: await games.countDocuments(),
      characters: await characters.countDocuments(),
    }),
    sweep,
    /** Runs the hourly clean-up until the request is pending, without a claim and without pending uploads. */
    untouched: (request: Request) =>
      vi.waitFor(
        async () => {
          await sweep()
          const { status, claimedAt = null, pendingUploads = [] } = await read(request)
          expect({ status, claimedAt, pending: pendingUploads }).toEqual({
            status: 'pending',
            claimedAt: null,
            pending: [],
          })
        },
        { timeout: 20_000, interval: 50 },
      ),
    async close() {
      await service.close()
      if (options.mongodbUri === undefined) await releaseDatabase(mongodbUri)
      await Promise.all([host.close(), vndb.close()])
    },
  }
}

export const useApprovalsScene = closeAtEnd(startApprovalsScene)
