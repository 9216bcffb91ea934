import { ObjectId } from 'mongodb'
import { beforeEach, describe, expect, test } from 'vitest'
import { DELETED_USER } from '../../lib/contract/limits.ts'
import type { StaffActionDocument } from '../../lib/infrastructure/db/collections/staff-actions.ts'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { expectFit, NARROW } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { subjectOf } from '../support/rows/entries.ts'
import { insertComment, insertConflict, insertGame, insertRequest } from '../support/rows/rows.ts'

const openConsole = useConsole()

const service = await useConsoleService()
const carol = await service.caller({ userName: 'carol', isAdmin: true })
const dora = await service.caller({ userName: 'dora', isAdmin: true })
const alice = await service.caller({ userName: 'alice' })
const bob = await service.caller({ userName: 'bob' })
const gameId = await insertGame(service.db, { name: 'Amber Road', slug: 'amber-road' })

const openView = (address: string, as = carol) => openConsole(service, { as, address })

describe('the staff log', () => {
  const admin = (caller: Caller, userName: string) => ({ userId: new ObjectId(caller.id), userName })
  const insertAction = (facts: Pick<StaffActionDocument, 'action' | 'target'> & Partial<StaffActionDocument>) =>
    service.db.staffActions.insertOne({ _id: new ObjectId(), at: new Date(), admin: admin(carol, 'carol'), ...facts })
  const game = { gameId: gameId.toHexString() }
  const conflict = { kind: 'conflict', id: 'igdb/4000', name: 'Brass Moon' } as const
  beforeEach(async () => {
    await service.db.staffActions.deleteMany({})
  })

  test('is filtered by kind, admin and target, and keeps its filters in its address', async () => {
    await insertAction({ action: 'conflict-decided', target: conflict, details: game })
    const request = await insertRequest(service.db, { payload: { name: 'Cinder Hall' } })
    const body = { decision: 'reject', reason: 'Not out yet' }
    await dora.post(`/requests/${request._id.toHexString()}/decision`, { body })

    const { page, expectProblem } = await openView('#/log')
    expectProblem(/404/)
    const table = page.getByRole('table', { name: 'Staff actions' })
    const decided = table.getByRole('row').filter({ hasText: 'matched' })
    await expect.poll(() => decided.innerText()).toContain('carol matched Brass Moon (IGDB) with Amber Road')

    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Requests' })
    await decided.waitFor({ state: 'detached' })
    await table.getByText('dora rejected the new game Cinder Hall: “Not out yet”').first().waitFor()
    await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'All' })
    await page.getByRole('searchbox', { name: 'Admin' }).fill('nobody here')
    await page.keyboard.press('Enter')
    await page.getByText('User not found').waitFor()
    await page.getByRole('searchbox', { name: 'Admin' }).fill('carol')
    await page.keyboard.press('Enter')
    await expect.poll(() => table.getByRole('link', { name: 'dora' }).count()).toBe(0)
    await decided.waitFor()
    await page.getByRole('searchbox', { name: 'Target' }).fill('igdb/4000')
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.reload()
    await expect.poll(() => table.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Target' }).fill('igdb/1')
    await page.getByRole('button', { name: 'Show all' }).click()
    await table.getByText('dora rejected the new game Cinder Hall: “Not out yet”').first().waitFor()

    const gone = { userId: new ObjectId(), userName: DELETED_USER }
    await insertAction({ action: 'conflict-reopened', target: conflict, admin: gone })
    await page.reload()
    for (const [name, others] of [
      [DELETED_USER, 'carol'],
      ['dora', DELETED_USER],
    ] as const) {
      await table.getByRole('link', { name }).first().click()
      await expect.poll(() => table.getByRole('link', { name: others, exact: true }).count()).toBe(0)
      await table.getByRole('link', { name }).first().waitFor()
      await page.goBack()
    }
  })

  test('describes each action in a sentence with links to the comment, the conflict, the request and the user', async () => {
    const commentId = await insertComment(service.db, {
      gameId,
      userId: new ObjectId(bob.id),
      body: '<p>Buy <b>amber</b>!</p>',
    })
    const request = await insertRequest(service.db, {
      payload: { summary: 'A road' },
      action: 'update',
      targetId: gameId,
    })
    const comment = { kind: 'comment', id: commentId.toHexString() } as const
    const deleted = { kind: 'comment', id: new ObjectId().toHexString() } as const
    await insertAction({ action: 'comment-hidden', target: comment, details: { ...game, reportsCount: 2 } })
    await insertAction({ action: 'comment-deleted', target: deleted, details: { ...game, reportsCount: 0 } })
    await insertAction({ action: 'reports-cleared', target: comment, details: { ...game, reportsCount: 1 } })
    await insertAction({ action: 'conflict-decided', target: conflict, details: { gameId: null, entryId: null } })
    await insertAction({ action: 'conflict-reopened', target: conflict })
    await insertAction({ action: 'candidate-added', target: conflict, details: game })
    await insertAction({
      action: 'request-approved',
      target: { kind: 'request', id: request._id.toHexString() },
      details: { kind: 'game', action: 'update', appliedFields: ['summary', 'cover'], resultId: gameId.toHexString() },
    })
    const target = { kind: 'user', id: bob.id, name: 'bob' } as const
    for (const action of ['admin-granted', 'admin-revoked', 'password-reset'] as const)
      await insertAction({ action, target, admin: null })

    const { page } = await openView('#/log')
    const table = page.getByRole('table', { name: 'Staff actions' })
    await table.getByText('Amber Road').first().waitFor()
    const shown = async () => (await table.getByRole('row').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))
    for (const sentence of [
      'carol hid the comment “Buy amber!” in Amber Road, which had 2 reports',
      'carol deleted a comment in Amber Road',
      'carol kept the comment “Buy amber!” in Amber Road, which had 1 report',
      'carol skipped Brass Moon (IGDB)',
      'carol reopened Brass Moon (IGDB)',
      'carol added Amber Road to the candidates of Brass Moon (IGDB)',
      'carol approved the correction of Amber Road: Summary and Cover',
      'A command gave bob the admin role',
      'A command took the admin role from bob',
      'A command reset the password of bob',
    ])
      expect(
        (await shown()).some((row) => row.endsWith(sentence)),
        sentence,
      ).toBe(true)

    const href = (name: string) => table.getByRole('link', { name }).first().getAttribute('href')
    expect(await href('Buy amber!')).toBe(`#/games/${game.gameId}/comments/${comment.id}`)
    expect(await href('Brass Moon')).toBe('#/conflicts/igdb/4000')
    expect(await href('the correction of Amber Road')).toBe(`#/requests/${request._id.toHexString()}`)
    await expectAccessible(page, 'log')
    await table.getByRole('link', { name: 'bob' }).first().click()
    await page.getByRole('heading', { name: 'bob', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Staff log of this user' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(4)
    expect(page.url()).toContain(`#/log?target=${bob.id}`)
  })
})

test('operations: the view shows one snapshot, and its age once it is old', async () => {
  const { page, expectProblem } = await openConsole(service, { as: carol, address: '#/operations', hasClock: true })
  expectProblem(/503/)
  await page.getByText('ready', { exact: true }).waitFor()
  for (const name of ['Requests', 'Events', 'Refusals and errors', 'Event-loop delay', 'Memory'])
    await page.getByRole('img', { name: new RegExp(`^${name}: .*\\d`) }).waitFor()
  expect(await page.locator('.plot svg').count()).toBe(6)
  const isOfOneSnapshot = async () => {
    const memory = await page.getByRole('img', { name: /^Memory: / }).getAttribute('aria-label')
    const figure = await page.locator('.plot').filter({ hasText: 'Memory' }).innerText()
    return memory !== null && figure.includes(memory.replace('Memory: ', ''))
  }
  // The next snapshot may come between the two readings.
  await expect.poll(isOfOneSnapshot).toBe(true)
  await page
    .getByRole('table', { name: 'Sources' })
    .getByRole('row', { name: /^RetroAchievements (on|off) 0$/ })
    .waitFor()
  await page
    .getByRole('table', { name: 'Routes' })
    .getByRole('row', { name: /^GET \/\S+ [\d.]+ [\d.]+ ms$/ })
    .first()
    .waitFor()
  await page.getByRole('table', { name: 'Open sockets' }).getByText('/conflicts').waitFor()
  await page
    .getByRole('table', { name: 'Checks' })
    .getByRole('row', { name: /^database schema ok \d+$/ })
    .waitFor()
  await expectAccessible(page, 'operations')

  // The view shows the age of its numbers until reads succeed again.
  await page.route('**/operations', (route) => route.fulfill({ status: 503, body: '' }))
  await page.clock.fastForward(16_000)
  await page.getByText(/^These numbers are \d+ s old\.$/).waitFor()
  await page.unroute('**/operations')
  await page.clock.fastForward(5_000)
  await page.getByText(/^These numbers are \d+ s old\.$/).waitFor({ state: 'detached' })
})

test('operations: only this view loads the plots', async () => {
  const { page } = await openView('#/log')
  await page.reload()
  const scripts: string[] = []
  page.on('request', (request) => scripts.push(new URL(request.url()).pathname))
  await page.getByRole('heading', { level: 1, name: 'Staff log' }).waitFor()
  expect(scripts.filter((path) => /operations.*js$/.test(path))).toEqual([])
  await page.getByRole('link', { name: 'Operations' }).click()
  await page.locator('.plot svg').first().waitFor()
  expect(scripts.filter((path) => /operations.*js$/.test(path)).length).toBe(1)
})

test('a reader sees no view for admins', async () => {
  const { page } = await openView('#/conflicts', alice)
  await page.getByText('This view is for admins.').waitFor()
  expect(await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).toEqual([
    'Discussions',
    'Royal games',
    'My requests',
  ])
})

test('every view fits 320 px and 1,440 px, with long names and links in it', async () => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4)
  const link = `https://example.com/${'a'.repeat(120)}`
  const wide = await service.caller({ userName: 'W'.repeat(32) })
  // The title of the entry is another name of the game, which gives the longest verdict.
  const otherName = await insertGame(service.db, { name: 'Captain', slug: 'captain', alternative_names: [long] })
  const { externalId } = await insertConflict(service.db, {
    externalName: long,
    candidates: [{ gameId: otherName, slug: 'captain', name: long, score: 90 }],
    externalData: { ...subjectOf(long), platformIds: [], url: link },
  })
  const payload = { name: long, websites: [link], companies: [{ name: long, developer: true }] }
  const { _id } = await insertRequest(service.db, { payload, sources: [link], note: link })
  await insertComment(service.db, { gameId, userId: new ObjectId(wide.id), body: `<p>${link}</p>`, reportsCount: 1 })

  const { page } = await openView('#/log')
  const ready: Record<string, string> = {
    '#/conflicts': 'Start review',
    [`#/conflicts/igdb/${externalId}`]: 'another name of it',
    '#/requests': 'Pending',
    [`#/requests/${_id.toHexString()}`]: 'Reject',
    '#/reports': 'Keep',
    '#/log': 'Target',
    '#/operations': 'Open sockets',
  }
  for (const [address, words] of Object.entries(ready)) {
    await page.goto(`${service.baseUrl}/console${address}`)
    await page.locator('main').getByLabel(words).or(page.locator('main').getByText(words)).first().waitFor()
    await page.setViewportSize(NARROW)
    await expectFit(page, address)
    await page.setViewportSize({ width: 1440, height: 900 })
    const cut =
      '[...document.querySelectorAll(".table-frame")].filter((frame) => frame.scrollWidth > frame.clientWidth).length'
    expect(await page.evaluate(cut), address).toBe(0)
  }
})
