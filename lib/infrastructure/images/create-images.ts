import { lookup } from 'node:dns/promises'
import { ObjectId } from 'mongodb'
import type { Config } from '../../base/config.ts'
import { VERSION } from '../../base/version.ts'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { IMAGE_TIMEOUTS } from '../concurrency/timeouts.ts'
import type { ObjectKey, Storage } from '../storage/storage.ts'
import { createDownload, type Download } from './download.ts'
import { type CopyInput, type Image, ImageError } from './images.ts'
import { createLinkGuard, isPublicAddress, type Resolve } from './link-guard.ts'
import { identifyImage } from './read-size.ts'

const LIMITS = {
  /** The ports that links may name besides the exempt places. */
  ports: [80, 443],
  redirects: 5,
  ...IMAGE_TIMEOUTS,
  bytes: 15 * 1024 * 1024,
  downloads: 8,
}

interface ImagesOptions {
  config: Pick<Config, 'publicUrl' | 'imageFetchAllow' | 'igdb'>
  storage: Pick<Storage, 'put'>
  limits?: Partial<typeof LIMITS>
  resolve?: Resolve
  isPublic?: (address: string) => boolean
}

/** Makes a signal for one call, because each call adds listeners to its signal. */
const anyOf = (...signals: (AbortSignal | undefined)[]) => AbortSignal.any(signals.flatMap((signal) => signal ?? []))

const resolveName: Resolve = (host) => lookup(host, { all: true })

/** Creates the only downloader of foreign images. */
export function createImages({ config, storage, ...overrides }: ImagesOptions) {
  const limits = { ...LIMITS, ...overrides.limits }
  const { resolve = resolveName, isPublic = isPublicAddress } = overrides
  const userAgent = `gamehall/${VERSION} (+${new URL(config.publicUrl).href})`
  const createFor = (exempt: Pick<Config, 'imageFetchAllow' | 'igdb'>) =>
    createDownload({
      guard: createLinkGuard({ config: exempt, resolve, isPublic, ports: limits.ports }),
      limits,
      userAgent,
    })
  const downloads = { ofSources: createFor(config), ofUsers: createFor({ ...config, igdb: undefined }) }
  const semaphore = createSemaphore(limits.downloads)

  async function downloadInTime(download: Download, link: string, signal: AbortSignal): Promise<Buffer> {
    const late = AbortSignal.timeout(limits.totalMs)
    return await download(link, AbortSignal.any([signal, late])).catch((error: unknown) => {
      throw error === late.reason
        ? new ImageError(`its download took longer than ${limits.totalMs / 1_000} seconds`)
        : error
    })
  }

  type FetchOptions = Pick<CopyInput, 'signal' | 'isOfSource'>
  async function fetch(link: string, { signal, isOfSource = false }: FetchOptions = {}): Promise<Image> {
    const download = isOfSource ? downloads.ofSources : downloads.ofUsers
    const ending = anyOf(signal)
    return identifyImage(await semaphore.run(ending, () => downloadInTime(download, link, ending)))
  }

  return {
    fetch,

    async copy({ link, folder, entityId, objectId = new ObjectId().toHexString(), ...options }: CopyInput) {
      const { recordKey, signal, late, isOfSource, parts } = options
      const download = fetch(link, { signal: anyOf(signal, late), isOfSource })
      const { bytes, type } = await (parts?.time('images', download) ?? download).catch((error: unknown) => {
        throw error === late?.reason ? new ImageError('it did not arrive in time') : error
      })
      const key: ObjectKey = `${folder}/${entityId.toHexString()}/${objectId}`

      signal?.throwIfAborted()
      await recordKey?.(key)
      signal?.throwIfAborted()
      const upload = storage.put(key, { bytes, type }, { signal })
      await (parts?.time('storage', upload) ?? upload)
      return key
    },
  }
}
