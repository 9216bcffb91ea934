import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { RECENT_COMMENTS_MAX } from '../../lib/contract/limits.ts'
import { profile } from '../support/clients/profile.ts'
import { insertComment, insertGame, insertRows, newComment } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))

it('200 with games by their newest visible comment, for guests too, read once in 2 seconds', async () => {
  const alice = await service.caller()
  const userId = new ObjectId(alice.id)
  const [quiet, busy, hidden, gone] = [
    await insertGame(service.db, { name: 'Quiet', slug: 'quiet' }),
    await insertGame(service.db, { name: 'Busy', slug: 'busy', cover: 'https://images.example/busy' }),
    await insertGame(service.db, { name: 'Hidden', slug: 'hidden' }),
    new ObjectId(),
  ]
  const parentId = await insertComment(service.db, { gameId: busy, userId, createdAt: at(1) })
  const text = `<p>Fish &amp; <strong>chips</strong></p><p>${'é'.repeat(250)}</p>`
  const reply = await insertComment(service.db, { gameId: busy, userId, parentId, body: text, createdAt: at(9) })
  await insertComment(service.db, { gameId: busy, userId, status: 'hidden', createdAt: at(20) })
  const spoiler = await insertComment(service.db, {
    gameId: quiet,
    userId: new ObjectId(),
    isSpoiler: true,
    createdAt: at(5),
  })
  await insertComment(service.db, { gameId: hidden, userId, status: 'deleted', createdAt: at(30) })
  await insertComment(service.db, { gameId: gone, userId, createdAt: at(40) })

  const { status, body } = await service.guest.get('/discussions')
  expect(status).toBe(200)
  expect(body).toEqual({
    results: [
      {
        game: { _id: busy.toHexString(), name: 'Busy', slug: 'busy', cover: 'https://images.example/busy' },
        commentsCount: 2,
        last: {
          _id: reply.toHexString(),
          author: { _id: alice.id, userName: alice.user?.userName },
          createdAt: at(9).toISOString(),
          excerpt: `Fish & chips ${'é'.repeat(187)}…`,
          isSpoiler: false,
          parentId: parentId.toHexString(),
        },
      },
      {
        game: { _id: quiet.toHexString(), name: 'Quiet', slug: 'quiet', cover: null },
        commentsCount: 1,
        last: {
          _id: spoiler.toHexString(),
          author: null,
          createdAt: at(5).toISOString(),
          excerpt: '',
          isSpoiler: true,
          parentId: null,
        },
      },
    ],
  })
  expect((await service.guest.get('/discussions?take=1')).body).toEqual({ results: [body.results[0]] })
})

it('200 from the newest 1,000 visible comments, by an index', async () => {
  const other = await useService()
  const gameId = await insertGame(other.db)
  const rows = Array.from({ length: RECENT_COMMENTS_MAX + 200 }, (_, index) =>
    newComment({ gameId, userId: new ObjectId(), createdAt: at(index) }),
  )
  await insertRows(other.db.comments, rows)
  const answers: { body: { results: { commentsCount: number }[] } }[] = []
  const commands = await profile(other.db, 'comments', async () => {
    answers.push(...(await Promise.all(Array.from({ length: 20 }, () => other.guest.get('/discussions')))))
  })

  expect(answers.map(({ body }) => body.results.map(({ commentsCount }) => commentsCount))).toEqual(
    answers.map(() => [RECENT_COMMENTS_MAX]),
  )
  const [scan, last] = commands
  expect(scan).toMatchObject({ keysExamined: RECENT_COMMENTS_MAX, docsExamined: 0 })
  expect(scan?.planSummary).toMatch(/^IXSCAN/)
  expect(last).toMatchObject({ keysExamined: 1 })
  expect(commands).toHaveLength(2)
})
