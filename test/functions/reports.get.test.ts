import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { useDiscussion } from '../support/scenes/discussion-scene.ts'

const { service, admin, author, insert } = await useDiscussion()
const people = await Promise.all(Array.from({ length: 7 }, () => service.caller()))

async function report(commentId: ObjectId, bodies: object[]) {
  for (const [index, body] of bodies.entries()) {
    expect((await people[index]?.post(`/comments/${commentId}/report`, { body }))?.status).toBe(200)
  }
}

it('200 with open and decided reports by comment, most first, from an index', async () => {
  const spam = { reason: 'spam' }
  const [one, seven, kept] = [await insert(), await insert(), await insert()]
  const held = await insert({ status: 'hidden', heldAt: new Date() })
  for (let index = 0; index < 20; index++) await insert()
  await report(one, [{}])
  await report(seven, [spam, spam, { reason: 'abuse', note: ' Look at this ' }, {}, spam, spam, spam])
  await report(kept, [{ reason: 'other' }, {}])
  const decision = { action: 'keep', reason: 'Within the rules' }
  await admin.post(`/reports/${kept}/decision`, { body: decision })

  const open = (await admin.get('/reports')).body
  expect(open.total).toBe(3)
  expect(open.results.map(({ comment }: { comment: { _id: string } }) => comment._id)).toEqual([
    String(seven),
    String(one),
    String(held),
  ])
  const [first, second, third] = open.results
  expect(first).toMatchObject({
    comment: { body: '<p>Hello</p>', reportsCount: 7, author: { _id: author.id } },
    thread: { title: 'Lantern Keep' },
    record: { visible: 23, hidden: 1, deleted: 0, reports: { open: 8, actedOn: 0, kept: 2 } },
    reasons: { spam: 5, abuse: 1 },
    count: 7,
    resolution: null,
  })
  const newest = people.slice(2).reverse()
  expect(first.newest.map(({ reporter }: { reporter: { _id: string } }) => reporter._id)).toEqual(
    newest.map(({ id }) => id),
  )
  expect(first.newest[4]).toMatchObject({ reason: 'abuse', note: 'Look at this', at: expect.any(String) })
  expect(first.firstAt < first.lastAt).toBe(true)
  expect(second).toMatchObject({ reasons: {}, count: 1 })
  expect(third).toMatchObject({ reasons: { held: 1 }, count: 0, newest: [] })
  expect((await admin.get('/reports?held=true')).body).toMatchObject({ total: 1, results: [third] })
  expect((await admin.get('/reports?held=false&take=1&page=2')).body).toMatchObject({ total: 2, results: [second] })

  const resolved = (await admin.get('/reports?status=resolved')).body
  expect(resolved.total).toBe(1)
  expect(resolved.results).toMatchObject([
    {
      comment: { _id: String(kept), reportsCount: 0 },
      reasons: { other: 1 },
      count: 2,
      resolution: { outcome: 'kept', by: { _id: admin.id }, reason: 'Within the rules' },
    },
  ])
  for (const query of ['', '?held=true', '?held=false', '?status=resolved']) {
    const commands = await profile(service.db, 'comments', () => admin.get(`/reports${query}`))
    expectIndexed(commands, { keys: 30 })
    expectIndexed(await profile(service.db, 'reports', () => admin.get(`/reports${query}`)), { keys: 20 })
  }
})

it('200: a held comment with reports is listed once, among held comments', async () => {
  const countRows = async (query: string) => (await admin.get(`/reports${query}`)).body.total
  const queries = ['', '?held=true', '?held=false']
  const [all, held, others] = await Promise.all(queries.map(countRows))
  await insert({ status: 'hidden', heldAt: new Date(), reportsCount: 1 })
  expect(await Promise.all(queries.map(countRows))).toEqual([all + 1, held + 1, others])
})

it('200: a reporter and a game that are gone are null', async () => {
  const commentId = await insert({ gameId: new ObjectId() })
  const reporter = await service.caller()
  await reporter.post(`/comments/${commentId}/report`)
  await service.db.users.deleteOne({ _id: new ObjectId(reporter.id) })
  const { results } = (await admin.get('/reports?take=50')).body
  const row = results.find(({ comment }: { comment: { _id: string } }) => comment._id === String(commentId))
  expect(row).toMatchObject({ thread: null, newest: [{ reporter: null }] })
})
