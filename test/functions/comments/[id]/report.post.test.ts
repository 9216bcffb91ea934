import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { insertComment, insertGame } from '../../../support/rows/rows.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, author, reader, insert, watch } = await useDiscussion()

it('200: reports of one user count once, also at once, and send no event', async () => {
  const _id = await insert()
  const tab = await watch()
  const answers = await Promise.all(Array.from({ length: 8 }, () => reader.post(`/comments/${_id}/report`)))

  for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { isReported: true } })
  expect(await service.db.comments.findOne({ _id })).toMatchObject({ reportsCount: 1 })
  expect(await tab.seen()).toEqual([])
})

it('200: only the reporter sees the report, and only admins see the count', async () => {
  const game = await insertGame(service.db)
  const _id = await insertComment(service.db, { gameId: game, userId: new ObjectId(author.id) })
  await reader.post(`/comments/${_id}/report`)
  const first = async (caller: Caller) => (await caller.get(`/games/${game}/comments`)).body.results[0]

  expect(await first(reader)).toMatchObject({ isReported: true })
  expect(await first(reader)).not.toHaveProperty('reportsCount')
  expect(await first(author)).toMatchObject({ isReported: false })
  expect(await first(await service.caller({ isAdmin: true }))).toMatchObject({ isReported: false, reportsCount: 1 })
})

it('400 for an own comment, 404 for a hidden one', async () => {
  expect((await author.post(`/comments/${await insert()}/report`)).status).toBe(400)
  expect((await reader.post(`/comments/${await insert({ status: 'hidden' })}/report`)).status).toBe(404)
})
