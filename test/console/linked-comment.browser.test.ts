import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { untilLive } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertComment, insertGame, newComment } from '../support/rows/rows.ts'

const openConsole = useConsole()

const service = await useConsoleService()
const author = await service.caller({ userName: 'author' })
const reader = await service.caller({ userName: 'reader' })
const admin = await service.caller({ userName: 'keeper', isAdmin: true })

/** Inserts a game with a thread of `count` replies. */
async function insertThread(count: number, facts: { reported?: number } = {}) {
  const gameId = await insertGame(service.db, { name: 'Lantern Keep' })
  const row = { gameId, userId: new ObjectId(author.id) }
  const firstId = await insertComment(service.db, { ...row, body: '<p>Who lit it?</p>', repliesCount: count })
  const replies = Array.from({ length: count }, (_, n) =>
    newComment({
      ...row,
      parentId: firstId,
      replyToId: firstId,
      body: `<p>Answer ${n}.</p>`,
      createdAt: new Date(Date.UTC(2024, 0, 1) + n * 1_000),
      reportsCount: n === facts.reported ? 1 : 0,
    }),
  )
  if (count > 0) await service.db.comments.insertMany(replies)
  const ids = replies.map(({ _id }) => _id.toHexString())
  return { gameId: gameId.toHexString(), firstId: firstId.toHexString(), ids }
}

const linked = (page: Page) => page.locator('article[aria-current=true]')
const thread = (page: Page) => page.getByRole('list', { name: 'Thread' })
const list = (page: Page) => page.getByRole('list', { name: 'Discussion' })

async function openLinked(as: Caller | undefined, gameId: string, id = '') {
  const tab = await openConsole(service, { ...(as && { as }), address: `#/games/${gameId}/comments/${id}` })
  await linked(tab.page).waitFor()
  await untilLive(tab.page)
  return tab
}

test('a linked reply beyond the 200th stands between its neighbours, and all of them change at once', async () => {
  const { gameId, firstId, ids } = await insertThread(212)
  const { page } = await openLinked(reader, gameId, ids[205])
  await linked(page).getByText('Answer 205.').waitFor()
  for (const n of [202, 203, 204, 206, 207, 208]) await thread(page).getByText(`Answer ${n}.`).waitFor()
  expect(await thread(page).getByText('Answer 201.').count()).toBe(0)

  await author.patch(`/comments/${ids[205]}`, { body: { body: 'Another answer.' } })
  await linked(page).getByText('Another answer.').waitFor()
  await author.patch(`/comments/${firstId}`, { body: { body: 'Who put it out?' } })
  await thread(page).getByText('Who put it out?').waitFor()
  await author.delete(`/comments/${ids[206]}`)
  await thread(page).getByText('Answer 206.').waitFor({ state: 'detached' })
  await thread(page).getByRole('button', { name: 'More replies' }).click()
  await thread(page).getByText('Answer 199.').waitFor()

  await admin.patch(`/comments/${ids[205]}/status`, { body: { status: 'hidden' } })
  await page.getByText('This comment may not be read.').waitFor()
  await page.getByRole('link', { name: 'All comments' }).waitFor()
  expect(await page.getByText('Another answer.').count()).toBe(0)
  await admin.patch(`/comments/${ids[205]}/status`, { body: { status: 'visible' } })
  await linked(page).getByText('Another answer.').waitFor()
  expect(await page.getByText('This comment may not be read.').count()).toBe(0)
})

test('a linked comment is liked, answered and copied, and the list below follows', async () => {
  const { gameId, firstId } = await insertThread(0)
  const { page, context } = await openLinked(reader, gameId, firstId)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await list(page).getByText('Who lit it?').waitFor()

  await linked(page).getByRole('button', { name: 'Like' }).click()
  for (const place of [thread(page), list(page)])
    await place.getByRole('button', { name: 'Like 1', pressed: true }).waitFor()
  await list(page).getByRole('button', { name: 'Like' }).click()
  await linked(page).getByRole('button', { name: 'Like 0', pressed: false }).waitFor()

  await linked(page).getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('textbox', { name: 'Write a reply' }).fill('The keeper.')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await thread(page).getByRole('article', { name: 'Comment by reader' }).getByText('The keeper.').waitFor()
  await list(page).getByRole('button', { name: '1 reply', exact: true }).waitFor()

  await linked(page).getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`/comments/${firstId}`)

  await author.delete(`/comments/${firstId}`)
  await linked(page).getByText('Comment removed').waitFor()
  expect(await page.getByText('Who lit it?').count()).toBe(0)
})

test("a comment under another game's address is shown under its game", async () => {
  const { gameId, firstId } = await insertThread(0)
  const other = await insertGame(service.db, { name: 'Amber Road' })
  const { page } = await openLinked(undefined, other.toHexString(), firstId)
  await page.getByRole('heading', { level: 1, name: 'Lantern Keep' }).waitFor()
  expect(page.url()).toContain(`#/games/${gameId}/comments/${firstId}`)
  await page.goBack()
  await page.waitForURL((url) => !url.href.includes(firstId))
})

test('moderators see a reported reply beyond the 200th between its neighbours, live', async () => {
  const { ids } = await insertThread(206, { reported: 203 })
  const { page } = await openConsole(service, { as: admin, address: '#/reports' })
  const reported = page.getByRole('article', { name: 'Reported comment by author' })
  await reported.getByText('Answer 203.').waitFor()
  for (const n of [200, 201, 202, 204, 205]) await thread(page).getByText(`Answer ${n}.`).waitFor()

  await author.patch(`/comments/${ids[203]}`, { body: { body: 'Nothing was said.' } })
  await reported.getByText('Nothing was said.').waitFor()
  await author.delete(`/comments/${ids[204]}`)
  await thread(page).getByText('Answer 204.').waitFor({ state: 'detached' })
  await thread(page)
    .getByRole('article', { name: 'Comment by author' })
    .last()
    .getByRole('button', { name: 'Like' })
    .click()
  await thread(page).getByRole('button', { name: 'Like 1', pressed: true }).waitFor()
})

test('a reply to a reported comment stays in sight when the comment leaves the list', async () => {
  const { firstId } = await insertThread(0)
  await reader.post(`/comments/${firstId}/report`)
  const { page } = await openConsole(service, { as: admin, address: '#/reports', hasClock: true })
  const reported = page.getByRole('article', { name: 'Reported comment by author' }).filter({ hasText: 'Who lit it?' })
  await reported.getByRole('button', { name: 'Reply' }).click()
  const field = page.getByRole('textbox', { name: 'Write a reply' })
  await field.fill('Nobody knows')
  await admin.patch(`/comments/${firstId}/status`, { body: { status: 'visible' } })
  await page.clock.fastForward(31_000)
  await reported.waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('Nobody knows')

  await author.delete(`/comments/${firstId}`)
  await page.getByText('the comment that you answer was hidden or deleted').waitFor()
  expect(await field.inputValue()).toBe('Nobody knows')
})
