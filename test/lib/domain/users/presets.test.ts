import { ObjectId } from 'mongodb'
import { beforeEach, expect, test } from 'vitest'
import { DomainError } from '#lib/base/errors'
import type { Deps } from '#lib/deps'
import { deletePreset, savePreset } from '#lib/domain/users/presets'
import type { KeyedQueue } from '#lib/infrastructure/concurrency/keyed-queue'
import { useService } from '../../../support/service/start-service.ts'

/** A busy machine answers so many at once in time. */
const MANY = 8

let user: { _id: ObjectId; userName: string; isAdmin: boolean }

const save = (name: string, preset = 'x') =>
  savePreset(deps, { user }, { ownerId: user._id.toHexString(), name, preset }).then(
    () => 'saved',
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  )
const stored = async () => (await service.db.presets.findOne({ _id: user._id }))?.presets ?? []
const store = async (count: number) => {
  const presets = Array.from({ length: count }, (_, index) => ({ name: `old${index}`, preset: 'x' }))
  const now = new Date()
  await service.db.presets.insertOne({ _id: user._id, presets, createdAt: now, updatedAt: now })
}
const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

const service = await useService()
const queue: KeyedQueue = { run: (_key, task) => task() }
/** Runs every task at once, as tasks of several instances do. */
const deps: Pick<Deps, 'db' | 'queue'> = { db: service.db, queue }
beforeEach(() => {
  user = { _id: new ObjectId(), userName: 'alice', isAdmin: false }
})

test('saves of one name at several instances are one preset', async () => {
  expect(await times(MANY, (index) => save('same', `v${index}`))).toEqual(Array(MANY).fill('saved'))
  expect(await stored()).toHaveLength(1)
})

test('saves and deletions at several instances keep at most a hundred, and lose none', async () => {
  await store(100)
  const ownerId = user._id.toHexString()
  const [answers] = await Promise.all([
    times(20, (index) => save(`new${index}`)),
    times(10, (index) => deletePreset(deps, { user }, { ownerId, name: `old${index}` })),
  ])
  const names = (await stored()).map(({ name }) => name)
  expect(names.length).toBe(90 + answers.filter((answer) => answer === 'saved').length)
  expect(names.length).toBeLessThanOrEqual(100)
  for (let index = 10; index < 100; index += 1) expect(names).toContain(`old${index}`)
  for (let index = 0; index < 10; index += 1) expect(names).not.toContain(`old${index}`)
})
