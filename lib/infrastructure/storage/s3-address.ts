import { isIP } from 'node:net'
import type { S3Config } from '../../base/config.ts'

/** Amazon's global hosts serve every region. */
function awsHost(region: string | undefined): string {
  if (region === undefined) return 's3.amazonaws.com'
  return `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** A bucket name that can be a part of a host name. One with a dot would need more labels than the certificate covers. */
const HOST_LABEL = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/

function canBeHostName(bucket: string, endpoint: string | undefined): boolean {
  const host = new URL(endpoint ?? 'https://s3.amazonaws.com').hostname
  return HOST_LABEL.test(bucket) && isIP(host) === 0 && !host.startsWith('[')
}

/** True for `<endpoint>/<bucket>`, because few servers besides AWS take `<bucket>.<host>`, and not every bucket name allows it. */
export const isPathStyle = ({ bucket, endpoint, forcePathStyle }: S3Config) =>
  (forcePathStyle ?? endpoint !== undefined) || !canBeHostName(bucket, endpoint)

/** The public address of a bucket, without a trailing slash. */
export function publicAddress(s3: S3Config): string {
  if (s3.publicUrl !== undefined) return s3.publicUrl

  const { protocol, host, pathname } = new URL(s3.endpoint ?? `https://${awsHost(s3.region)}`)
  const path = pathname === '/' ? '' : pathname
  if (isPathStyle(s3)) return `${protocol}//${host}${path}/${s3.bucket}`
  return `${protocol}//${s3.bucket}.${host}${path}`
}
