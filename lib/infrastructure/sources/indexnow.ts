import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../base/config.ts'
import { isLoopbackUrl } from '../../base/settings.ts'
import type { Logger } from '../observability/log.ts'
import { createSourceClient, type TransportOptions } from './transport/client.ts'
import { SourceError } from './transport/errors.ts'

export interface IndexNow {
  /** Submits a new page of the site to search engines, with three later attempts. Never rejects: failures are logged. */
  submit(page: string): Promise<void>
}

interface IndexNowOptions extends TransportOptions {
  config: Pick<Config, 'indexNow' | 'frontUrl' | 'publicUrl'>
  log: Logger
  laterMs?: { throttled: number; failed: number }
}

const LIMITS = { requests: 2, withinMs: 1_000, open: 1 }
const LATER_ATTEMPTS = 3
/** The pause before the first later attempt, doubled before each further one. */
const LATER_MS = { throttled: 60_000, failed: 5_000 }

/** The statuses of a final refusal, each with its reason. Another attempt would only look like spam. */
const REFUSALS = new Map([
  [400, 'the form of the message'],
  [403, 'the key'],
  [422, 'an address or the key'],
])

/** Announces pages to the search engines that share IndexNow. Without a key, or for a site on this machine, it sends nothing. */
export function createIndexNow({ config, log, laterMs = LATER_MS, ...transport }: IndexNowOptions): IndexNow {
  const { indexNow, frontUrl, publicUrl } = config
  if (indexNow === undefined || isLoopbackUrl(frontUrl)) return { submit: async () => undefined }

  const { url, key } = indexNow
  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'indexnow', publicUrl })
  const { href: keyLocation, host } = new URL(`${frontUrl}/${key}.txt`)
  const headers = { 'content-type': 'application/json; charset=utf-8' }

  async function post(page: string): Promise<void> {
    const body = JSON.stringify({ host, key, keyLocation, urlList: [new URL(page).href] })
    const sent = { method: 'POST', url, headers, body, answers: [...REFUSALS.keys()], retry: false } as const
    const status = await client.request(sent, (answer) => answer.status)
    const refused = REFUSALS.get(status)
    if (refused !== undefined) log.error({ status, page }, `IndexNow refused ${refused}`)
    else if (status === 202) log.info({ page }, 'IndexNow took the page and still checks the key')
  }

  return {
    async submit(page) {
      for (let attempt = 0; ; attempt += 1) {
        try {
          return await post(page)
        } catch (error) {
          if (!(error instanceof SourceError) || attempt === LATER_ATTEMPTS) {
            log.warn({ err: error, page }, 'IndexNow could not be notified')
            return
          }
          const baseMs = error.failure === 'rate-limited' ? laterMs.throttled : laterMs.failed
          const backOffMs = baseMs * 2 ** attempt * (1 + Math.random() / 4)
          await sleep(Math.max(backOffMs, client.openForMs()), undefined, { ref: false })
        }
      }
    },
  }
}
