import type { S3Config } from '../config.ts'

const KEYS = new Set([
  'InvalidAccessKeyId',
  'SignatureDoesNotMatch',
  'InvalidToken',
  'ExpiredToken',
  'InvalidClientTokenId',
])
const TEMPORARY = new Set(['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'Throttling', 'ThrottlingException'])
const ELSEWHERE = new Set(['PermanentRedirect', 'AuthorizationHeaderMalformed', 'IllegalLocationConstraintException'])

interface FailureFacts {
  /** The name that the server or the SDK gives it. */
  name: string
  status: number | undefined
  /** The code of a network error: `ECONNREFUSED`. */
  code: string | undefined
}

function readFailure(error: unknown): FailureFacts {
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

/** Whether the same request may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  const { name, status, code } = readFailure(error)
  if (TEMPORARY.has(name) || name === 'TimeoutError') return true
  if (status === undefined) return isNetworkCode(code)
  return status === 429 || (status >= 500 && status !== 501)
}

interface Failure {
  /** For a person; it holds no credentials and nothing that the server wrote freely. */
  sentence: string
  /** Whether it stays so until somebody changes the settings. */
  isSettings: boolean
}

/** Says what went wrong between this service and its bucket. */
export function explainS3Failure(error: unknown, { bucket, endpoint }: S3Config): Failure {
  const { name, status, code } = readFailure(error)
  const where = endpoint === undefined ? 'The object storage' : `The object storage at ${new URL(endpoint).host}`
  const detail = [status, /^\w{1,60}$/.test(name) && name !== 'Error' && name !== 'UnknownError' && name]
  const reported = detail.filter(Boolean).join(' ')
  const settings = (sentence: string) => ({ sentence, isSettings: true })
  const passing = (sentence: string) => ({ sentence, isSettings: false })

  if (error instanceof Error && error.message === 'Region is missing') {
    return settings('The object storage needs a region: S3_REGION is not set')
  }
  if (/Credentials|TokenProvider/.test(name)) {
    return settings('The object storage needs credentials: neither AWS_ACCESS_KEY_ID nor another source has any')
  }
  if (name === 'TimeoutError' || name === 'AbortError') return passing(`${where} did not answer in time`)
  if (status === undefined && code !== undefined) return passing(`${where} cannot be reached (${code})`)
  if (status === undefined) return settings('S3_BUCKET, S3_ENDPOINT or S3_REGION is nothing that can be used')
  if (KEYS.has(name)) return settings(`${where} refused the credentials (${reported})`)
  if (status === 401 || status === 403)
    return settings(`${where} denied the access to the bucket "${bucket}" (${reported})`)
  if (name === 'NoSuchBucket') return settings(`${where} has no bucket "${bucket}"`)
  if (ELSEWHERE.has(name) || (status >= 300 && status < 400)) {
    return settings(
      `${where} looks for the bucket "${bucket}" elsewhere (${reported}): S3_ENDPOINT or S3_REGION is wrong`,
    )
  }
  if (status >= 500 || status === 429) return passing(`${where} failed (${reported})`)
  return settings(`${where} refused the request (${reported})`)
}
