import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { expectIndexed, profile } from '../../../support/clients/profile.ts'
import { insertConflict } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()
const admin = await service.caller({ isAdmin: true })

it('200 with the waiting conflicts that involve the game, from an index', async () => {
  const [gameId, other] = [new ObjectId(), new ObjectId()]
  const insert = (game: ObjectId, facts: Partial<ConflictDocument>) =>
    insertConflict(service.db, {
      candidates: [new ObjectId(), game].map((id) => ({ gameId: id, slug: 's', name: 'N', score: 1 })),
      ...facts,
    })
  await insert(gameId, { source: 'ra', externalId: '9', externalName: 'Later', createdAt: new Date(2) })
  await insert(gameId, { source: 'vndb', externalId: 'v9', externalName: 'Earlier', createdAt: new Date(1) })
  await insert(gameId, { externalId: 'queued', decision: 'match' })
  await insert(gameId, { externalId: 'resolved', status: 'resolved' })
  await insert(gameId, { externalId: 'absent', status: 'absent', decision: null })
  for (let index = 0; index < 20; index++) await insert(other, {})
  const about = { source: 'hltb', externalName: 'Itself', createdAt: new Date(3) } as const
  await insertConflict(service.db, { ...about, externalId: gameId.toHexString() })
  await insertConflict(service.db, { ...about, externalId: new ObjectId().toHexString() })
  await insertConflict(service.db, { ...about, source: 'igdb', externalId: gameId.toHexString() })

  const { status, body } = await admin.get(`/conflicts/by-game/${gameId.toHexString().toUpperCase()}`)
  expect(status).toBe(200)
  expect(body).toEqual([
    { source: 'hltb', externalId: gameId.toHexString(), externalName: 'Itself' },
    { source: 'vndb', externalId: 'v9', externalName: 'Earlier' },
    { source: 'ra', externalId: '9', externalName: 'Later' },
  ])

  const commands = await profile(service.db, 'conflicts', () => admin.get(`/conflicts/by-game/${gameId}`))
  expect(commands).toHaveLength(2)
  expectIndexed(commands, { keys: 5 })
})

it('200 with nothing for a decided conflict about the game, and for a game that nobody knows', async () => {
  const externalId = new ObjectId().toHexString()
  await insertConflict(service.db, { source: 'hltb', externalId, decision: 'skip' })
  expect((await admin.get(`/conflicts/by-game/${externalId}`)).body).toEqual([])
  expect((await admin.get(`/conflicts/by-game/${new ObjectId()}`)).body).toEqual([])
})
