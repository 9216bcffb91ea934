import type { Context, MiddlewareHandler } from 'hono'
import { DomainError } from '../../base/errors.ts'
import { BODY_MAX_BYTES } from '../../contract/limits.ts'
import type { Deps } from '../../deps.ts'
import { addressKey, createAddressBudget } from '../../infrastructure/limits/address-budget.ts'
import { rateLimited } from '../../infrastructure/limits/rate-limits.ts'
import { type FunctionDefinition, isBodyOptional } from './define-function.ts'
import type { HttpEnv } from './http-env.ts'

type RequestContext = Context<HttpEnv>

/** Bytes of one address that are being read, parsed or handled. */
const UNDER_WAY_MAX_BYTES = 8 * 1024 * 1024
const FULL_RETRY_MS = 1_000
const DISCARDED_MAX_BYTES = 8 * 1024 * 1024
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

function tooLarge(maxBytes: number): DomainError {
  const kilobytes = maxBytes / 1024
  return new DomainError(
    'TOO_LARGE',
    `The body has more than ${kilobytes < 1024 ? `${kilobytes} KB` : `${kilobytes / 1024} MB`}`,
  )
}

const NO_FIELDS = Buffer.from('{}')

const isDeclared = (c: RequestContext) => c.req.header('transfer-encoding') === undefined

/** Reads a body without a declared size. It reads somewhat beyond the limit, so that the sender receives the refusal. */
async function readUndeclared(c: RequestContext, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    if (size > DISCARDED_MAX_BYTES) break
  }
  if (size > DISCARDED_MAX_BYTES) c.header('Connection', 'close')
  if (size > maxBytes) throw tooLarge(maxBytes)
  return Buffer.concat(chunks)
}

async function readBytes(c: RequestContext, maxBytes: number): Promise<Uint8Array> {
  try {
    return isDeclared(c) ? new Uint8Array(await c.req.arrayBuffer()) : await readUndeclared(c, maxBytes)
  } catch (error) {
    throw error instanceof DomainError ? error : new DomainError('INVALID', 'The body ended early')
  }
}

const findSender = (c: RequestContext) => c.get('user')?._id.toHexString() ?? addressKey(c.get('address'))

/** Runs `read`. A refusal costs the user, or the address, one point; a sender without points is refused before. */
export async function chargeRefusal<T>(
  { limits }: Pick<Deps, 'limits'>,
  c: RequestContext,
  read: () => T | Promise<T>,
) {
  const sender = findSender(c)
  await limits.refusedBodies.assertLeft(sender)
  try {
    return await read()
  } catch (error) {
    if (error instanceof DomainError) await limits.refusedBodies.consume(sender)
    throw error
  }
}

/** Creates the guard that reads bodies. It refuses too large ones also where the endpoint reads none. */
export function createTakeBody(deps: Pick<Deps, 'limits'>) {
  const underWay = createAddressBudget({ maxBytes: UNDER_WAY_MAX_BYTES })

  return ({ body, limit, maxBodyBytes = BODY_MAX_BYTES.usual }: FunctionDefinition): MiddlewareHandler<HttpEnv> =>
    async function takeBody(c, next) {
      const declared = Number(c.req.header('content-length') ?? 0)
      if (body === undefined && declared <= maxBodyBytes) return next()
      if (body !== undefined && declared === 0 && isDeclared(c) && isBodyOptional(body)) {
        c.set('body', NO_FIELDS)
        return next()
      }

      // Checked before reading and parsing, the larger part of the work.
      if (limit !== undefined) await deps.limits[limit].assertLeft(findSender(c))
      await chargeRefusal(deps, c, () => {
        if (body !== undefined && !JSON_TYPE.test(c.req.header('content-type')?.trim() ?? '')) {
          throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
        }
        // Leaves the body unread: the adapter drains it, and the connection stays usable.
        if (declared > maxBodyBytes) throw tooLarge(maxBodyBytes)
      })
      const release = underWay.reserve(c.get('address'), isDeclared(c) ? declared : maxBodyBytes)
      if (release === null) throw rateLimited(FULL_RETRY_MS)
      try {
        c.set('body', await chargeRefusal(deps, c, () => readBytes(c, maxBodyBytes)))
        await next()
      } finally {
        release()
      }
    }
}
