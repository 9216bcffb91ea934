import { setTimeout as sleep } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import type { S3Config } from '../../base/config.ts'
import { mapLimited } from '../concurrency/map-limited.ts'
import { STORAGE_TIMEOUTS } from '../concurrency/timeouts.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { isPathStyle, publicAddress } from './s3-address.ts'
import {
  assertObjectKey,
  CACHE_CONTROL,
  createAddresses,
  isObjectKey,
  type ObjectKey,
  type Storage,
  StorageError,
} from './storage.ts'

const TEMPORARY = new Set(['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'Throttling', 'ThrottlingException'])
const RETRY_PAUSES = { firstMs: 200, longestMs: 2_000 }
const NO_ANSWER = /^(Timeout|Abort)Error$/

/** Reads the name that the server or the SDK gives a failure, its status, and the code of a network error: `ECONNREFUSED`. */
function readFailure(error: unknown) {
  if (!(error instanceof Error)) return { name: '', status: undefined, code: undefined }
  const metadata = '$metadata' in error && typeof error.$metadata === 'object' ? error.$metadata : undefined
  const status = metadata && 'httpStatusCode' in metadata ? metadata.httpStatusCode : undefined
  const code = 'code' in error ? error.code : undefined

  return {
    name: error.name,
    status: typeof status === 'number' ? status : undefined,
    code: typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : undefined,
  }
}

const isNetworkCode = (code: string | undefined) => code !== undefined && /^(E(?!RR_)|HPE_)/.test(code)

function isTemporary(error: unknown): boolean {
  const { name, status, code } = readFailure(error)
  if (TEMPORARY.has(name) || NO_ANSWER.test(name)) return true
  if (status === undefined) return isNetworkCode(code)
  return status === 429 || (status >= 500 && status !== 501)
}

/** Explains to a person what failed, without credentials and without free text of the server. */
function explainS3Failure(error: unknown, { bucket, endpoint }: S3Config): string {
  const { name, status, code } = readFailure(error)
  const where = endpoint === undefined ? 'The object storage' : `The object storage at ${new URL(endpoint).host}`
  if (NO_ANSWER.test(name)) return `${where} did not answer in time`
  if (status === undefined && code !== undefined) return `${where} cannot be reached (${code})`
  if (status === undefined) {
    // The SDK refused the call before it sent anything: a missing region, missing credentials.
    const reason = error instanceof Error && /^Error$|Credentials|TokenProvider/.test(name) ? error.message : name
    return `${where} cannot be used: ${reason}`
  }
  const reported = /^(?!(Unknown)?Error$)\w{1,60}$/.test(name) ? `${status} ${name}` : status
  const verb = status >= 500 || status === 429 ? 'failed at' : 'refused'
  return `${where} ${verb} a request to the bucket "${bucket}" (${reported})`
}

/** Retries with jittered pauses until `stop`. @throws what the last attempt threw, else the reason of the signal */
async function retry<T>(attempt: () => Promise<T>, stop: AbortSignal): Promise<T> {
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

interface S3StorageOptions {
  s3: S3Config
  timeouts?: typeof STORAGE_TIMEOUTS
}

type Sdk = typeof import('@aws-sdk/client-s3')
type Send<T> = (sdk: Sdk, client: S3Client, options: { abortSignal: AbortSignal }) => Promise<T>

/** Loads the SDK, which only a service with a bucket needs. */
async function connect(s3: S3Config, { silenceMs }: typeof STORAGE_TIMEOUTS): Promise<{ sdk: Sdk; client: S3Client }> {
  // The SDK warns of Node releases that later versions refuse. Its version is fixed here, so an operator could do nothing.
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
  const configured = client.config.region().then(
    () => client,
    () => create(FALLBACK_REGION),
  )
  return { sdk, client: await configured }
}

/** Stores objects in a bucket of any S3 compatible server. The first call is the first request to the server. */
export function createS3Storage({ s3, timeouts = STORAGE_TIMEOUTS }: S3StorageOptions): Storage {
  let connected: ReturnType<typeof connect> | undefined

  const open = () => {
    connected ??= connect(s3, timeouts)
    return connected
  }

  async function call<T>(send: Send<T>, late = AbortSignal.timeout(timeouts.callMs), signal?: AbortSignal): Promise<T> {
    const stop = AbortSignal.any(signal === undefined ? [late] : [late, signal])
    try {
      return await retry(async () => {
        const { sdk, client } = await open()
        return await send(sdk, client, { abortSignal: stop })
      }, stop)
    } catch (error) {
      const isAborted = signal?.aborted && !late.aborted
      throw new StorageError(isAborted ? 'The request to the object storage was given up' : explainS3Failure(error, s3))
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
      await call((sdk, client, options) => client.send(new sdk.PutObjectCommand(object), options), undefined, signal)
    },

    async get(key) {
      assertObjectKey(key)
      return await call(async (sdk, client, options) => {
        const command = new sdk.GetObjectCommand({ Bucket: s3.bucket, Key: key })
        const answer = await client.send(command, options).catch((error: unknown) => {
          if (!(error instanceof sdk.NoSuchKey)) throw error
        })
        return await answer?.Body?.transformToByteArray()
      })
    },

    async *list() {
      try {
        const { sdk, client } = await open()
        for await (const { Contents = [] } of sdk.paginateListObjectsV2({ client }, { Bucket: s3.bucket }))
          yield* Contents.flatMap(({ Key }) => Key ?? []).filter(isObjectKey)
      } catch (error) {
        throw new StorageError(explainS3Failure(error, s3))
      }
    },

    // One request deletes one object, because the request for many needs a checksum that not every server accepts.
    async delete(keys) {
      keys.forEach(assertObjectKey)
      const late = AbortSignal.timeout(timeouts.callMs)
      let failure: unknown

      const deleteOne = (key: ObjectKey) =>
        call(async (sdk, client, options) => {
          const command = new sdk.DeleteObjectCommand({ Bucket: s3.bucket, Key: key })
          await client.send(command, options).catch((error: unknown) => {
            if (!(error instanceof sdk.S3ServiceException) || error.name !== 'NoSuchKey') throw error
          })
        }, late)
      await mapLimited(keys, DELETE_CONCURRENCY, (key) =>
        deleteOne(key).catch((error: unknown) => {
          failure ??= error
        }),
      )
      if (failure !== undefined) throw failure
    },
  }
}
