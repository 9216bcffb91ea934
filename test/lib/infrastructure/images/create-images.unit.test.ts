import { ObjectId } from 'mongodb'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { makeImage } from '../../../support/rows/images.ts'
import { startImageHost } from '../../../support/stand-ins/image-host.ts'
import { openImages } from './open-images.ts'

const host = await startImageHost()
afterAll(() => host.close())
beforeEach(() => {
  host.requests.length = 0
})

const open = (options: Parameters<typeof openImages>[0] = {}) => openImages({ allow: [host.place], ...options })
const paths = () => host.requests.map(({ path }) => path)

test('8 downloads run at once, the others wait for their turn', async () => {
  const images = open()
  const links = Array.from({ length: 20 }, (_, index) => host.link(`held/${index}`))
  const results = Promise.all(links.map((link) => images.fetch(link)))

  for (let done = 0; done < links.length; done += 1) {
    await expect.poll(() => host.held.size).toBe(Math.min(8, links.length - done))
    expect(host.requests).toHaveLength(Math.min(8 + done, links.length))
    host.release(1)
  }
  expect(await results).toHaveLength(20)
  expect(paths().slice(8)).toEqual(links.slice(8).map((link) => new URL(link).pathname))
})

const entityId = new ObjectId('0123456789abcdef01234567')

test('copy stores the image under its real type and returns the key', async () => {
  const images = open()
  const key = await images.copy({ link: host.link('mislabelled'), folder: 'covers', entityId })

  expect(key).toMatch(/^covers\/0123456789abcdef01234567\/[0-9a-f]{24}$/)
  expect([...images.stored]).toEqual([[key, { bytes: makeImage('png'), type: 'image/png' }]])
})

test('copy uses the requested last part of the key, else a new one', async () => {
  const images = open()
  const wanted = { link: host.link('gif'), folder: 'artworks', entityId } as const
  const key = await images.copy({ ...wanted, objectId: 'abcdefabcdefabcdefabcdef' })
  expect(key).toBe('artworks/0123456789abcdef01234567/abcdefabcdefabcdefabcdef')

  await images.copy(wanted)
  await images.copy(wanted)
  expect(images.stored.size).toBe(3)
})
