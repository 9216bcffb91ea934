import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { createFeedListener } from '#lib/follow-changes'
import { parseChange } from '#lib/infrastructure/events/change'
import { profile } from '../../../support/clients/profile.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, gameId, insert, watch } = await useDiscussion()
const { deps, db } = service

it('reads the counts of threads once for an answer of the stream, however many replies it brings', async () => {
  const reader = await watch()
  const threads = [await insert({ repliesCount: 60 }), await insert({ repliesCount: 40 })]
  await watch()
  const news = (await reader.seen()).length
  const changes = Array.from({ length: 100 }, (_, index) => {
    const values = { gameId, parentId: threads[Number(index >= 60)], status: 'visible' }
    return parseChange({ operationType: 'insert', collection: 'comments', id: new ObjectId(), values })
  })
  const commands = await profile(db, 'comments', () => createFeedListener(deps).onChanges(changes))

  expect(commands).toHaveLength(1)
  const seen = (await reader.seen()).slice(news)
  expect(seen.map(({ payload }) => payload.parentRepliesCount)).toEqual([
    ...Array.from({ length: 60 }, () => 60),
    ...Array.from({ length: 40 }, () => 40),
  ])
})

it('reads the texts of edits once for an answer of the stream', async () => {
  const reader = await watch()
  const ids = await Promise.all(Array.from({ length: 50 }, (_, index) => insert({ body: `text ${index}` })))
  await watch()
  const news = (await reader.seen()).length
  const changes = ids.map((id) =>
    parseChange({ operationType: 'update', collection: 'comments', id, values: {}, fields: ['body'] }),
  )
  const commands = await profile(db, 'comments', () => createFeedListener(deps).onChanges(changes))

  expect(commands).toHaveLength(1)
  const seen = (await reader.seen()).slice(news)
  expect(seen.map(({ payload }) => payload.body)).toEqual(ids.map((_, index) => `text ${index}`))
})
