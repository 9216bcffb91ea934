import { setTimeout as sleep } from 'node:timers/promises'
import { INDEXNOW_TIMES } from '../concurrency/timeouts.ts'
import type { Config } from '../config.ts'
import { readUrl } from '../contract/read-url.ts'
import type { Logger } from '../observability/log.ts'
import { isLoopbackUrl } from '../settings.ts'
import type { ReadOptions } from '../sources/source-reader.ts'
import { createSourceClient, type TransportOptions } from '../sources/transport/client.ts'
import { SourceError } from '../sources/transport/errors.ts'
import type { ThrottleLimits } from '../sources/transport/throttle.ts'
import { createBoundedCache } from '../values/bounded-cache.ts'

export interface IndexNow {
  /** Whether it is configured and the site is one that search engines can reach. */
  isOn: boolean
  /**
   * Tells search engines that pages of the site are new, changed or gone. Never rejects: what fails is logged, and what
   * may pass is tried again later by itself.
   */
  submit(urls: readonly string[], options?: ReadOptions): Promise<void>
}

interface IndexNowOptions extends TransportOptions {
  config: Pick<Config, 'indexNow' | 'frontUrl' | 'publicUrl'>
  log: Logger
  limits?: ThrottleLimits
  /** Before the first of the later attempts, doubled before each further one. */
  laterMs?: { throttled: number; failed: number }
  /** How long a page is not announced again. */
  quietMs?: number
}

const LIMITS: ThrottleLimits = { requests: 2, withinMs: 1_000, open: 1 }
const URLS_PER_POST = 10_000
const URLS_REMEMBERED = 100_000
const LATER_ATTEMPTS = 3
const BATCHES_LATER = 50

/** The engines say so for good; asking again would only look like spam. */
const REFUSALS = new Map([
  [400, 'the form of the message'],
  [403, 'the key'],
  [422, 'an address or the key'],
])

/** The pages of one host, each once, by their addresses without the fragment. */
function toPages(urls: readonly string[], host: string): string[] {
  const pages = urls.flatMap((text) => {
    const url = readUrl(text)
    if (url?.host !== host) return []
    url.hash = ''
    return [url.href]
  })
  return [...new Set(pages)]
}

const nothing: IndexNow = { isOn: false, submit: async () => undefined }

/** Announces pages to the search engines that share IndexNow. */
export function createIndexNow({ config, log, ...options }: IndexNowOptions): IndexNow {
  const { indexNow, frontUrl, publicUrl } = config
  if (indexNow === undefined || isLoopbackUrl(frontUrl)) return nothing

  const { url, key } = indexNow
  const { laterMs, quietMs, ...transport } = { ...INDEXNOW_TIMES, ...options }
  const client = createSourceClient({ limits: LIMITS, ...transport, source: 'indexnow', publicUrl })
  const announced = createBoundedCache<true>({ entries: URLS_REMEMBERED, ttl: quietMs })
  const { href: keyLocation, host } = new URL(`${frontUrl}/${key}.txt`)
  let batchesLater = 0

  async function post(urlList: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const body = JSON.stringify({ host, key, keyLocation, urlList })
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const answers = [...REFUSALS.keys()]
    const { status } = await client.call(
      (request) => request({ method: 'POST', url, headers, body, answers, retry: false }),
      { signal },
    )

    const refused = REFUSALS.get(status)
    if (refused !== undefined) log.error({ status, pages: urlList.length }, `IndexNow refused ${refused}`)
    else if (status === 202) log.info({ pages: urlList.length }, 'IndexNow took the pages and still checks the key')
  }

  /** Undefined when there is nothing to try again. */
  async function attempt(urlList: readonly string[], signal?: AbortSignal): Promise<SourceError | undefined> {
    try {
      await post(urlList, signal)
      return undefined
    } catch (error) {
      if (error instanceof SourceError) return error
      if (!signal?.aborted) log.error({ err: error }, 'IndexNow could not be notified')
      return undefined
    }
  }

  async function tryLater(urlList: readonly string[], first: SourceError): Promise<void> {
    let last: SourceError | undefined = first
    for (let later = 0; later < LATER_ATTEMPTS && last !== undefined; later += 1) {
      const baseMs = last.failure === 'rate-limited' ? laterMs.throttled : laterMs.failed
      const backOffMs = baseMs * 2 ** later * (1 + Math.random() / 4)
      await sleep(Math.max(backOffMs, client.closedForMs()), undefined, { ref: false })
      last = await attempt(urlList)
    }
    if (last !== undefined) log.warn({ err: last, pages: urlList.length }, 'IndexNow could not be notified')
  }

  async function tell(urlList: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const failure = await attempt(urlList, signal)
    if (failure === undefined) return
    if (batchesLater >= BATCHES_LATER) {
      log.warn({ err: failure, pages: urlList.length }, 'IndexNow could not be notified')
      return
    }
    batchesLater += 1
    const end = () => {
      batchesLater -= 1
    }
    tryLater(urlList, failure).then(end, end)
  }

  return {
    isOn: true,
    async submit(urls, { signal } = {}) {
      const pages = toPages(urls, host).filter((page) => !announced.has(page))
      for (const page of pages) announced.set(page, true)
      for (let from = 0; from < pages.length; from += URLS_PER_POST)
        await tell(pages.slice(from, from + URLS_PER_POST), signal)
    },
  }
}
