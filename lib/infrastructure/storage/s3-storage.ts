import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../base/config.ts'
import { mapLimited } from '../concurrency/map-limited.ts'
import { RETRY_PAUSES, STORAGE_TIMEOUTS } from '../concurrency/timeouts.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { isPathStyle, publicAddress } from './s3-address.ts'
import { explainS3Failure, isTemporary } from './s3-failure.ts'
import {
  assertObjectKey,
  CACHE_CONTROL,
  createAddresses,
  type ObjectKey,
  type Storage,
  StorageError,
} from './storage.ts'

/**
 * Retries until an attempt succeeds, with exponential, jittered pauses. `stop` ends the retries, the running attempt included.
 * @throws what the last attempt threw; the signal's reason when none has failed before it
 */
async function retry(attempt: () => Promise<void>, stop: AbortSignal): Promise<void> {
  let failure: unknown
  for (let pauseMs = RETRY_PAUSES.firstMs; ; pauseMs = Math.min(pauseMs * 2, RETRY_PAUSES.longestMs)) {
    try {
      stop.throwIfAborted()
      return await withTimeout(stop, attempt())
    } catch (error) {
      if (stop.aborted) throw failure ?? stop.reason
      if (!isTemporary(error)) throw error
      failure = error
    }
    await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stop }).catch(() => {
      throw failure
    })
  }
}

const DELETE_CONCURRENCY = 8
/** A region name that servers without regions accept. */
const FALLBACK_REGION = 'us-east-1'

interface Timeouts {
  /** An attempt fails after this time without a byte. */
  silenceMs: number
  /** For a whole call, its attempts and the pauses between them. */
  callMs: number
}

type Sdk = typeof import('@aws-sdk/client-s3')
type Send = (sdk: Sdk, client: S3Client, options: { abortSignal: AbortSignal }) => Promise<unknown>

/** Loads the SDK, which only a service with a bucket needs. */
async function connect(s3: S3Config, { silenceMs }: Timeouts): Promise<{ sdk: Sdk; client: S3Client }> {
  // A warning of Node releases that later versions will refuse: the SDK's release is fixed, and an operator can do nothing.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const sdk = await import('@aws-sdk/client-s3')
  const create = (region: string | undefined) =>
    new sdk.S3Client({
      ...(region !== undefined && { region }),
      ...(s3.endpoint !== undefined && { endpoint: s3.endpoint }),
      forcePathStyle: isPathStyle(s3),
      // Many compatible servers reject the checksums that the SDK adds by default.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // A server that never sends `100 Continue` would delay each upload, and its abort, by seconds.
      expectContinueHeader: false,
      maxAttempts: 1,
      requestHandler: { connectionTimeout: silenceMs, socketTimeout: silenceMs },
    })

  const client = create(s3.region)
  if (s3.region !== undefined || s3.endpoint === undefined) return { sdk, client }
  const hasRegion = await client.config.region().then(
    () => true,
    () => false,
  )
  return { sdk, client: hasRegion ? client : create(FALLBACK_REGION) }
}

/** Stores objects in a bucket of any S3 compatible server. The first call is the first request to the server. */
export function createS3Storage({ s3, timeouts = STORAGE_TIMEOUTS }: { s3: S3Config; timeouts?: Timeouts }): Storage {
  let connected: ReturnType<typeof connect> | undefined

  async function call(send: Send, late: AbortSignal, signal?: AbortSignal): Promise<void> {
    const stop = AbortSignal.any(signal === undefined ? [late] : [late, signal])
    try {
      await retry(async () => {
        connected ??= connect(s3, timeouts)
        const { sdk, client } = await connected
        await send(sdk, client, { abortSignal: stop })
      }, stop)
    } catch (error) {
      const isGivenUp = signal?.aborted && !late.aborted
      throw new StorageError(isGivenUp ? 'The request to the object storage was given up' : explainS3Failure(error, s3))
    }
  }

  return {
    ...createAddresses(publicAddress(s3)),
    mayStoreAfterFailure: true,

    async put(key, { bytes, type }, { signal } = {}) {
      assertObjectKey(key)
      const object = {
        Bucket: s3.bucket,
        Key: key,
        Body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
        ContentType: type,
        CacheControl: CACHE_CONTROL,
      }
      const upload: Send = (sdk, client, options) => client.send(new sdk.PutObjectCommand(object), options)
      await call(upload, AbortSignal.timeout(timeouts.callMs), signal)
    },

    // One request deletes one object, because the request for many needs a checksum that not every server accepts.
    async delete(keys) {
      keys.forEach(assertObjectKey)
      const late = AbortSignal.timeout(timeouts.callMs)
      let failure: unknown

      const deleteOne =
        (key: ObjectKey): Send =>
        async (sdk, client, options) => {
          const command = new sdk.DeleteObjectCommand({ Bucket: s3.bucket, Key: key })
          await client.send(command, options).catch((error: unknown) => {
            if (!(error instanceof sdk.S3ServiceException) || error.name !== 'NoSuchKey') throw error
          })
        }
      await mapLimited(keys, DELETE_CONCURRENCY, (key) =>
        call(deleteOne(key), late).catch((error: unknown) => {
          failure ??= error
        }),
      )
      if (failure !== undefined) throw failure
    },
  }
}
