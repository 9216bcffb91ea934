import { randomUUID } from 'node:crypto'
import { CreateBucketCommand, HeadObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { inject } from 'vitest'
import type { S3Config } from '#lib/base/config'
import { closeAtEnd } from '../service/close-at-end.ts'
import { READY_KEY, untilOk } from './s3-server.ts'

export type TestBucket = Awaited<ReturnType<typeof openTestBucket>>

const READY_WITHIN_MS = 180_000

/**
 * Creates an empty bucket on the run's S3 server, which anybody may read. Its keys then stand in the environment of this
 * test file, where the SDK looks for them.
 */
export async function openTestBucket() {
  const { endpoint, region, bucket: first, ...credentials } = inject('s3')
  await untilOk(`${endpoint}/${first}/${READY_KEY}`, AbortSignal.timeout(READY_WITHIN_MS))
  const bucket = `t-${randomUUID()}`
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await client.send(new CreateBucketCommand({ Bucket: bucket }))

  const keys = { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey }
  Object.assign(process.env, keys)
  return {
    s3: { bucket, endpoint, region, publicUrl: undefined, forcePathStyle: undefined } satisfies S3Config,
    /** The same as variables, keys included, for a service that is a process of its own. */
    env: { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region, ...keys },
    async listKeys() {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }))
      return Contents.flatMap(({ Key }) => Key ?? [])
    },
    head: (key: string) => client.send(new HeadObjectCommand({ Bucket: bucket, Key: key })),
    close: () => client.destroy(),
  }
}

export const useTestBucket = closeAtEnd(openTestBucket)
