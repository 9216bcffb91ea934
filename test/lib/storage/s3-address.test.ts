import { expect, test } from 'vitest'
import type { S3Config } from '../../../lib/config.ts'
import { publicAddressOf } from '../../../lib/storage/s3-address.ts'

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
  expect(publicAddressOf(s3)).toBe(address)
})
