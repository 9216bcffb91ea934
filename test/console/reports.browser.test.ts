import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { expectFit, HOLD_MS, NARROW, notices, outbox } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()

const REASONS = ['Spam', 'Abuse', 'Off topic']
const service = await useConsoleService({ env: { MODERATION_REASONS: REASONS.join(','), HOLD_FIRST_COMMENTS: '2' } })
const carol = await service.caller({ userName: 'carol', isAdmin: true })
const dora = await service.caller({ userName: 'dora', isAdmin: true })
const alice = await service.caller({ userName: 'alice' })
const bob = await service.caller({ userName: 'bob' })
const readers = [bob, await service.caller({ userName: 'erin' }), await service.caller({ userName: 'finn' })]
const games = [
  await insertGame(service.db, { name: 'Amber Road', slug: 'amber-road' }),
  await insertGame(service.db, { name: 'Brass Moon', slug: 'brass-moon' }),
]
/** The keys of decisions, and the status that each gives to a comment. */
const DECISIONS = [
  ['h', 'hidden'],
  ['k', 'visible'],
  ['d', 'deleted'],
] as const
/** The list is read again every 30 s: an earlier change of it came by an event. */
const BEFORE_NEXT_READ = { timeout: 20_000 }

beforeEach(async () => {
  await service.db.comments.deleteMany({})
  await service.db.reports.deleteMany({})
})

/** Inserts a comment of alice that this number of readers reported. */
async function insertReported(body: string, reports = 1, facts: { parentId?: ObjectId; game?: number } = {}) {
  const { parentId = null, game = 0 } = facts
  const gameId = games[game] ?? new ObjectId()
  const row = { gameId, userId: new ObjectId(alice.id), parentId, replyToId: parentId, body: `<p>${body}</p>` }
  const id = (await insertComment(service.db, row)).toHexString()
  for (const reader of readers.slice(0, reports)) await report(id, reader, { reason: 'spam' })
  return id
}
const report = (id: string, reader: Caller, body: object) => reader.post(`/comments/${id}/report`, { body })

const openInbox = (as = carol, address = '#/reports') => openConsole(service, { as, address, hasClock: true })
const items = (page: Page) => page.getByRole('list', { name: 'Reported comments' }).locator('> li')
const opened = (page: Page) => page.locator('li[aria-current]')
const readStatus = async (id: string) => (await service.db.comments.findOne({ _id: new ObjectId(id) }))?.status

const untilOpen = (page: Page, body: string) => opened(page).getByText(body, { exact: true }).first().waitFor()

test('twenty reports are worked off by keyboard alone, one of them undone and decided otherwise', async () => {
  const ids: string[] = []
  for (let n = 0; n < 20; n += 1) ids.push(await insertReported(`Buy amber ${n}!`, 1 + Number(n < 2), { game: n % 2 }))
  const { page } = await openInbox()
  await page.locator('#waiting-reports').getByText('20').waitFor()
  await items(page).nth(19).waitFor()
  const order = (await items(page).allInnerTexts()).map((text) => Number(/Buy amber (\d+)!/.exec(text)?.[1]))
  expect(order.slice(0, 2).toSorted()).toEqual([0, 1])
  const { keyboard } = page
  const decided = new Map<string, string>()

  // The last report is decided at the end.
  await untilOpen(page, `Buy amber ${order[0]}!`)
  await keyboard.press('ArrowDown')
  for (const [index, n] of order.slice(1).entries()) {
    await untilOpen(page, `Buy amber ${n}!`)
    const [key, status] = DECISIONS[index % DECISIONS.length] ?? DECISIONS[0]
    if (key !== 'k') await keyboard.press('1')
    await keyboard.press(key)
    decided.set(ids[n] ?? '', status)
  }
  await untilOpen(page, `Buy amber ${order[0]}!`)
  await keyboard.press('h')
  await page.getByText('No reported comments.').waitFor()
  await keyboard.press('u')
  await untilOpen(page, `Buy amber ${order[0]}!`)
  await keyboard.press('k')
  decided.set(ids[order[0] ?? 0] ?? '', 'visible')
  await page.getByText('No reported comments.').waitFor()

  await page.clock.fastForward(HOLD_MS)
  await expect.poll(() => service.db.reports.countDocuments({ outcome: null })).toBe(0)
  for (const [id, status] of decided) expect(await readStatus(id)).toBe(status)
  const reasons = await service.db.staffActions.distinct('details.reason', { 'target.id': { $in: ids } })
  expect(reasons).toEqual(['Spam'])
  await expect.poll(() => page.locator('#waiting-reports').count()).toBe(0)
})

test('a report shows its game, its readers, reasons and notes, and the comment within its thread', async () => {
  const parentId = new ObjectId(await insertReported('What a road.', 0))
  await service.db.comments.updateOne({ _id: parentId }, { $set: { repliesCount: 3 } })
  await insertReported('Long, too.', 0, { parentId })
  const id = await insertReported('Buy amber here!', 2, { parentId })
  await report(id, dora, { reason: 'abuse', note: 'He sells it everywhere' })
  await insertReported('Rude words.')

  const { page } = await openInbox()
  await untilOpen(page, 'Buy amber here!')
  const item = opened(page)
  for (const words of ['What a road.', 'Long, too.', 'He sells it everywhere', 'Amber Road'])
    await item.getByText(words).first().waitFor()
  await item.getByText('Spam 2').waitFor()
  await item.getByText('Abuse 1').waitFor()
  const link = item.getByRole('link', { name: 'Open in the discussion' })
  expect(await link.getAttribute('href')).toBe(`#/games/amber-road/comments/${id}`)
  await expectAccessible(page, 'reports')
  await page.setViewportSize(NARROW)
  await expectFit(page)
})

test('a reason is typed or chosen by its digit, and the keys mean letters in its field', async () => {
  const [first, second] = [await insertReported('Buy amber!', 2), await insertReported('Rude words.')]
  const { page } = await openInbox()
  await untilOpen(page, 'Buy amber!')
  await page.keyboard.press('r')
  await page.keyboard.type('hdk')
  expect(await items(page).count()).toBe(2)
  await page.keyboard.press('Enter')
  await page.keyboard.press('h')
  await untilOpen(page, 'Rude words.')
  await page.keyboard.press('2')
  await page.keyboard.press('d')
  await outbox(page).getByText('Delete', { exact: true }).waitFor()
  await page.clock.fastForward(HOLD_MS)
  await expect.poll(() => readStatus(second)).toBe('deleted')
  await expect.poll(() => readStatus(first)).toBe('hidden')
  const reasonOf = async (id: string) => (await service.db.staffActions.findOne({ 'target.id': id }))?.details?.reason
  expect([await reasonOf(first), await reasonOf(second)]).toEqual(['hdk', 'Abuse'])
})

test('held comments are shown or hidden, and a decided report shows its admin and its reason', async () => {
  const parentId = await insertReported('What a road.')
  const hugo = await service.caller({ userName: 'hugo' })
  const post = async (body: string, facts: object = {}) =>
    (await hugo.post('/comments', { body: { gameId: games[0], body, ...facts } })).body._id
  const [first, second] = [await post('My first words.'), await post('My answer.', { parentId })]
  const { page, expectProblem } = await openInbox()
  expectProblem(/409/)
  await page.locator('#waiting-reports').getByText('3').waitFor()
  await page.getByRole('tab', { name: 'Open 1' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: 'Held 2', selected: true }).waitFor()
  await items(page).nth(1).waitFor()
  await expectAccessible(page, 'reports-held')
  await items(page).filter({ hasText: 'My answer.' }).getByRole('button', { name: 'Amber Road' }).click()
  await untilOpen(page, 'My answer.')
  await opened(page).getByText('What a road.').waitFor()
  await page.keyboard.press('k')
  await untilOpen(page, 'My first words.')
  await page.keyboard.press('h')
  await page.getByText('No comment waits for a moderator.').waitFor()
  await hugo.patch(`/comments/${second}`, { body: { body: 'My better answer.' } })
  await page.clock.fastForward(HOLD_MS)
  await untilOpen(page, 'My better answer.')
  await page.keyboard.press('k')
  await page.getByText('No comment waits for a moderator.').waitFor()
  await page.clock.fastForward(HOLD_MS)
  await expect.poll(() => readStatus(second)).toBe('visible')
  expect(await readStatus(first)).toBe('hidden')

  await page.getByRole('tab', { name: 'Open' }).click()
  await untilOpen(page, 'What a road.')
  for (const key of ['2', 'd']) await page.keyboard.press(key)
  await outbox(page).getByText('Delete', { exact: true }).waitFor()
  await page.clock.fastForward(HOLD_MS)
  await page.getByRole('tab', { name: 'Resolved' }).click()
  await items(page).getByText('Abuse').waitFor()
  expect((await items(page).allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/Spam 1.*Acted on just now by carol .?Abuse.*Comment removed/),
  ])
  await expectAccessible(page, 'reports-resolved')
})

test('S suspends the author with the reason of the report, and the report stays open', async () => {
  const gina = await service.caller({ userName: 'gina' })
  const row = { gameId: games[0] ?? new ObjectId(), userId: new ObjectId(gina.id), body: '<p>Buy amber!</p>' }
  const id = (await insertComment(service.db, row)).toHexString()
  await report(id, bob, {})
  const { page } = await openInbox()
  await untilOpen(page, 'Buy amber!')
  await page.keyboard.press('1')
  await page.keyboard.press('s')
  const dialog = page.getByRole('dialog', { name: 'Suspend gina' })
  expect(await dialog.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Spam')
  await expectAccessible(page)
  for (const key of ['h', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key)
  await notices(page).getByText('gina is suspended').waitFor()
  const refused = await gina.put(`/comments/${id}/like`)
  expect(refused.body.message).toMatch(/^You are suspended until .+: Spam$/)
  await untilOpen(page, 'Buy amber!')
  expect(await outbox(page).count()).toBe(0)
})

test('a report that another admin decides leaves the list, and a new one moves nothing', async () => {
  const first = await insertReported('Buy amber!', 2)
  const second = await insertReported('Rude words.')
  const { page, expectProblem } = await openInbox()
  expectProblem(/409/)
  await untilOpen(page, 'Buy amber!')
  const place = await opened(page).boundingBox()
  await insertReported('The end is near.', 3)
  await items(page).nth(2).getByText('The end is near.').waitFor(BEFORE_NEXT_READ)
  expect(await opened(page).boundingBox()).toEqual(place)
  await page.locator('#waiting-reports').getByText('3').waitFor()

  await page.keyboard.press('h')
  await outbox(page).getByText('Hide', { exact: true }).waitFor()
  const decision = { body: { action: 'keep' } }
  await dora.post(`/reports/${first}/decision`, decision)
  await page.clock.fastForward(HOLD_MS)
  await outbox(page).getByRole('alert').waitFor()
  await outbox(page).getByRole('button', { name: 'Dismiss' }).click()
  expect(await readStatus(first)).toBe('visible')

  // A key that was meant for the removed one decides no other.
  await untilOpen(page, 'Rude words.')
  await dora.post(`/reports/${second}/decision`, decision)
  await page.getByText('Rude words.').waitFor({ state: 'detached', ...BEFORE_NEXT_READ })
  await page.keyboard.press('h')
  expect(await outbox(page).count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await untilOpen(page, 'The end is near.')
})
