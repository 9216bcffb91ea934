import type { S3Config } from '../../base/config.ts'

const TEMPORARY = new Set(['SlowDown', 'RequestTimeout', 'RequestTimeTooSkewed', 'Throttling', 'ThrottlingException'])
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

export function isTemporary(error: unknown): boolean {
  const { name, status, code } = readFailure(error)
  if (TEMPORARY.has(name) || NO_ANSWER.test(name)) return true
  if (status === undefined) return isNetworkCode(code)
  return status === 429 || (status >= 500 && status !== 501)
}

/**
 * Explains to a person what failed between this service and its bucket, without credentials and without free text of the
 * server.
 */
export function explainS3Failure(error: unknown, { bucket, endpoint }: S3Config): string {
  const { name, status, code } = readFailure(error)
  const where = endpoint === undefined ? 'The object storage' : `The object storage at ${new URL(endpoint).host}`
  if (NO_ANSWER.test(name)) return `${where} did not answer in time`
  if (status === undefined && code !== undefined) return `${where} cannot be reached (${code})`
  if (status === undefined) {
    // What the SDK says before it sends anything: a missing region, missing credentials.
    const reason = error instanceof Error && /^Error$|Credentials|TokenProvider/.test(name) ? error.message : name
    return `${where} cannot be used: ${reason}`
  }
  const reported = /^(?!(Unknown)?Error$)\w{1,60}$/.test(name) ? `${status} ${name}` : status
  const verb = status >= 500 || status === 429 ? 'failed at' : 'refused'
  return `${where} ${verb} a request to the bucket "${bucket}" (${reported})`
}
