import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { expect, test } from 'vitest'
import type { S3Config } from '#lib/base/config'
import { isPathStyle, publicAddress } from '#lib/infrastructure/storage/s3-address'

const AWS: S3Config = {
  bucket: 'pictures',
  endpoint: undefined,
  region: undefined,
  publicUrl: undefined,
  forcePathStyle: undefined,
}
const SERVER = { ...AWS, endpoint: 'https://s3.example.com:9000' }

test.each<[string, S3Config]>([
  ['https://cdn.example.com/a', { ...SERVER, publicUrl: 'https://cdn.example.com/a' }],
  ['https://s3.example.com:9000/pictures', SERVER],
  ['https://s3.example.com/below/pictures', { ...AWS, endpoint: 'https://s3.example.com/below' }],
  ['https://pictures.s3.example.com:9000', { ...SERVER, forcePathStyle: false }],
  ['https://s3.example.com/pictures', { ...AWS, endpoint: 'https://key:secret@s3.example.com' }],
  ['https://pictures.s3.amazonaws.com', AWS],
  ['https://pictures.s3.eu-north-1.amazonaws.com', { ...AWS, region: 'eu-north-1' }],
  ['https://pictures.s3.cn-north-1.amazonaws.com.cn', { ...AWS, region: 'cn-north-1' }],
  ['https://s3.eu-north-1.amazonaws.com/pictures', { ...AWS, region: 'eu-north-1', forcePathStyle: true }],
  ['https://s3.eu-north-1.amazonaws.com/my.pictures', { ...AWS, bucket: 'my.pictures', region: 'eu-north-1' }],
])('readers find the objects at %s', (address, s3) => {
  expect(publicAddress(s3)).toBe(address)
})

interface Sent {
  protocol: string
  hostname: string
  port?: number
  path: string
}

/** Finds the address at which the SDK stores an object. */
async function findObject({ bucket, endpoint, region = 'eu-north-1' }: S3Config, forcePathStyle: boolean) {
  let address = ''
  const client = new S3Client({
    region,
    forcePathStyle,
    ...(endpoint !== undefined && { endpoint }),
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
    requestHandler: {
      handle: async ({ protocol, hostname, port, path }: Sent) => {
        address = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`
        throw new Error('nothing is sent')
      },
    },
  })
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: 'k' })).catch(() => undefined)
  return address
}

const BUCKETS = [
  'pictures',
  'p1-2',
  'abc',
  'x'.repeat(63),
  '123',
  'a',
  'ab',
  'my_pictures',
  'my.pictures',
  'My-Pictures',
  'pictures-',
  'my..pictures',
  '1.2.3.4',
  'x'.repeat(64),
]

test.each([
  undefined,
  'https://s3.example.com:9000',
  'http://s3.example.com/below',
  'http://localhost:9000',
  'http://s3:9000',
  'https://1.2.3.4.example.com',
  'http://127.0.0.1:9000',
  'http://127.1:9000',
  'https://[2001:db8::1]/below',
])('readers of %s find objects where the SDK stores them, also without path style', async (endpoint) => {
  for (const bucket of BUCKETS) {
    const s3 = { ...AWS, bucket, endpoint, region: 'eu-north-1', forcePathStyle: false }
    const address = `${publicAddress(s3)}/k`

    expect(await findObject(s3, false)).toBe(address)
    expect(await findObject(s3, isPathStyle(s3))).toBe(address)
  }
})
