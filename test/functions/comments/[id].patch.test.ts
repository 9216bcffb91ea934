import { expect, it } from 'vitest'
import { useDiscussion } from '../../support/scenes/discussion-scene.ts'

const { service, author, reader: other, admin, gameId, insert, watch } = await useDiscussion()

it('200 with the cleaned text, which the event for the others has, too', async () => {
  const [_id, decoy] = [await insert(), await insert()]
  const [editorTab, reader] = [await watch(), await watch()]
  const { status, body } = await author.patch(`/comments/${_id}`, {
    body: { body: '<p>New<script>x</script></p>', isSpoiler: true },
    socketId: editorTab.socketId,
  })

  expect(status).toBe(200)
  expect(body).toMatchObject({ body: '<p>New</p>', isSpoiler: true })
  expect(body.updatedAt > body.createdAt).toBe(true)
  expect(await reader.seen()).toEqual([
    {
      event: 'comment:updated',
      payload: {
        gameId: gameId.toHexString(),
        commentId: _id.toHexString(),
        body: '<p>New</p>',
        isSpoiler: true,
        updatedAt: body.updatedAt,
      },
    },
  ])
  expect(await editorTab.seen()).toEqual([])
  expect(await service.db.comments.findOne({ _id: decoy })).toMatchObject({ body: '<p>Hello</p>', isSpoiler: false })
})

it('200 changing the spoiler flag alone keeps the text', async () => {
  const _id = await insert()
  const { body } = await author.patch(`/comments/${_id}`, { body: { isSpoiler: true } })
  expect(body).toMatchObject({ body: '<p>Hello</p>', isSpoiler: true })
})

it('200 without an edit for what changes nothing, as cleaned or as stored', async () => {
  const _id = await insert({ body: '<p>Rock &amp; <strong>roll</strong></p>', isSpoiler: true })
  const stored = await service.db.comments.findOne({ _id })
  const reader = await watch()
  for (const body of [
    { body: '<p>Rock &amp; <strong>roll</strong></p>' },
    { body: ' <p>Rock & <strong onclick="x()">roll</strong></p>', isSpoiler: true },
    { isSpoiler: true },
  ]) {
    const answer = await author.patch(`/comments/${_id}`, { body })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ body: stored?.body, updatedAt: stored?.updatedAt.toISOString() })
  }
  expect(await service.db.comments.findOne({ _id })).toEqual(stored)
  expect(await reader.seen()).toEqual([])
})

it('200 for the stored text whatever its length, 400 for another one as long', async () => {
  const _id = await insert()
  const edit = (body: object) => author.patch(`/comments/${_id}`, { body })
  const { body: long } = await edit({ body: `<p>${'&'.repeat(4_000)}</p>` })
  expect(long.body.length).toBeGreaterThan(10_000)

  const answer = await edit({ body: long.body, isSpoiler: true })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ body: long.body, isSpoiler: true })
  const refused = await edit({ body: `${long.body}x` })
  expect(refused.status).toBe(400)
  expect(refused.body.message).toBe('A comment has at most 10000 characters')
})

it('400 without any change, or with an empty text', async () => {
  const _id = await insert()
  expect((await author.patch(`/comments/${_id}`, { body: {} })).status).toBe(400)
  expect((await author.patch(`/comments/${_id}`, { body: { body: '<p></p>' } })).body.message).toBe(
    'The comment is empty',
  )
})

it('403 for somebody else, admins included', async () => {
  const _id = await insert()
  for (const caller of [other, admin]) {
    expect((await caller.patch(`/comments/${_id}`, { body: { body: 'Mine' } })).status).toBe(403)
  }
  expect(await service.db.comments.findOne({ _id })).toMatchObject({ body: '<p>Hello</p>' })
})

it('403 for a hidden comment, without an event', async () => {
  const reader = await watch()
  const hidden = await insert({ status: 'hidden' })
  expect((await author.patch(`/comments/${hidden}`, { body: { body: 'x' } })).status).toBe(403)
  expect(await reader.seen()).toEqual([])
})
