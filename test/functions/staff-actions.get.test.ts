import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { recordStaffAction } from '../../lib/domain/staff/record-staff-action.ts'
import type { StaffActionDocument } from '../../lib/infrastructure/db/collections/staff-actions.ts'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertComment } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()
const admin = await service.caller({ isAdmin: true })
beforeEach(() => service.db.staffActions.deleteMany({}))

const carol = { _id: new ObjectId(), userName: 'carol' }

function insert(facts: Partial<StaffActionDocument> = {}) {
  const action: StaffActionDocument = {
    _id: new ObjectId(),
    at: new Date(),
    admin: { userId: carol._id, userName: carol.userName },
    action: 'comment-hidden',
    target: { kind: 'comment', id: new ObjectId().toHexString() },
    ...facts,
  }
  return service.db.staffActions.insertOne(action).then(() => action)
}

it('200 with what was recorded, newest first, paged', async () => {
  await insert({ at: new Date('2026-01-01T00:00:00Z') })
  const request = { kind: 'request' as const, id: new ObjectId().toHexString(), name: 'Chrono Trigger' }
  const entry = {
    actor: carol,
    action: 'request-approved' as const,
    target: request,
    details: { appliedFields: ['name'] },
  }
  await service.db.transaction((session) => recordStaffAction(service.deps, entry, { session }))
  const { status, body } = await admin.get('/staff-actions?take=1')

  expect(status).toBe(200)
  expect(body.total).toBe(2)
  expect(body.results).toEqual([
    {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      at: expect.stringMatching(/Z$/),
      admin: { userId: carol._id.toHexString(), userName: 'carol' },
      action: 'request-approved',
      target: request,
      details: { appliedFields: ['name'] },
    },
  ])
  const second = await admin.get('/staff-actions?take=1&page=2')
  expect(second.body.results).toMatchObject([{ action: 'comment-hidden', details: null }])
})

it('200 with the excerpt of a comment as its name, unless it is deleted or a spoiler', async () => {
  const facts = { gameId: new ObjectId(), userId: new ObjectId(), body: '<p>Buy <b>amber</b> &amp; more</p>' }
  const ids = [
    await insertComment(service.db, { ...facts, status: 'hidden' }),
    await insertComment(service.db, { ...facts, status: 'deleted' }),
    await insertComment(service.db, { ...facts, isSpoiler: true }),
  ]
  for (const id of ids) await insert({ target: { kind: 'comment', id: id.toHexString() } })
  const { body } = await admin.get('/staff-actions')
  const names = new Map(body.results.map(({ target }: StaffActionDocument) => [target.id, target.name]))
  expect(ids.map((id) => names.get(id.toHexString()))).toEqual(['Buy amber & more', undefined, undefined])
})

it('200 with those of one admin, of one kind, of one target, each from an index', async () => {
  const other = { userId: new ObjectId(), userName: 'dan' }
  for (let index = 0; index < 30; index++) await insert()
  const shown = await insert({ admin: other, action: 'comment-shown' })
  const conflict = { kind: 'conflict' as const, id: 'igdb/1' }
  for (let index = 0; index < 30; index++) await insert({ admin: other, target: conflict })
  const decided = await insert({ action: 'conflict-decided', target: conflict })
  const reset = await insert({ admin: null, action: 'password-reset', target: { kind: 'user', id: 'a'.repeat(24) } })
  const queries = {
    [`admin=${other.userId.toHexString()}&kind=comment`]: shown,
    [`admin=${carol._id.toHexString()}&kind=conflict`]: decided,
    'kind=user': reset,
    [`target=${shown.target.id}`]: shown,
    [`kind=comment&target=${shown.target.id}`]: shown,
  }

  for (const [query, { _id }] of Object.entries(queries)) {
    const commands = await profile(service.db, 'staffActions', async () => {
      const { body } = await admin.get(`/staff-actions?${query}`)
      expect(body).toMatchObject({ total: 1, results: [{ _id: _id.toHexString() }] })
    })
    expectIndexed(commands, { keys: 3 })
  }
})
