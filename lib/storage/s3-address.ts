import type { S3Config } from '../config.ts'

/** The hosts of the global service know the way to every region. */
function awsHost(region: string | undefined): string {
  if (region === undefined) return 's3.amazonaws.com'
  return `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
}

/** Requests go to `<endpoint>/<bucket>` where a server is named, since few but AWS know buckets by their host names. */
export const isPathStyle = ({ endpoint, forcePathStyle }: S3Config) => forcePathStyle ?? endpoint !== undefined

/** Where readers find the objects of a bucket, without a trailing slash. */
export function publicAddressOf(s3: S3Config): string {
  if (s3.publicUrl !== undefined) return s3.publicUrl

  const { protocol, host, pathname } = new URL(s3.endpoint ?? `https://${awsHost(s3.region)}`)
  const path = pathname === '/' ? '' : pathname
  // No certificate covers the host name that a dot in a bucket's name makes.
  if (isPathStyle(s3) || s3.bucket.includes('.')) return `${protocol}//${host}${path}/${s3.bucket}`
  return `${protocol}//${s3.bucket}.${host}${path}`
}
