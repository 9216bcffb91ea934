import { isIP } from 'node:net'
import { type Config, isEnvFileIgnored } from '../../base/config.ts'
import { isLoopbackUrl } from '../../base/settings.ts'
import { isPublicAddress } from '../../infrastructure/images/link-guard.ts'
import { publicAddress } from '../../infrastructure/storage/s3-address.ts'
import { type Checks, ok, warn } from './run-checks.ts'

/** True for a name that only a network of one's own resolves, and for an address in one. */
function isPrivateUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) > 0) return !isPublicAddress(host)
  return isLoopbackUrl(url) || /^[^.]+$|\.(local|internal|lan)$/.test(host)
}

/** Finds settings that a start accepts although they seldom mean what they say. */
export const settingChecks = (config: Config): Checks => ({
  'settings file'() {
    if (!isEnvFileIgnored()) return ok('none is ignored')
    return warn('.env is ignored in production: set its variables in the environment, or leave NODE_ENV out')
  },
  'settings of images'() {
    const { s3, isProduction, publicUrl, imageFetchAllow } = config
    if (imageFetchAllow.size > 0) {
      const hosts = [...imageFetchAllow].join(', ')
      return warn(`IMAGE_FETCH_ALLOW: image downloads may reach ${hosts} although they are private`)
    }
    if (s3 === undefined) return ok('local files')
    const address = publicAddress(s3)
    if (!isProduction || !publicUrl.startsWith('https:')) return ok(address)
    if (isPrivateUrl(address))
      return warn(`S3_PUBLIC_URL: readers elsewhere cannot reach ${address}, a part of every stored link`)
    if (address.startsWith('https:')) return ok(address)
    return warn(`S3_PUBLIC_URL: browsers refuse images of ${address} in pages of https`)
  },
})
