import { gzipSync } from 'node:zlib'
import { ObjectId } from 'mongodb'
import { expect, onTestFinished, test } from 'vitest'
import { insertRows } from '../../lib/ops/seed/seed-rows.ts'
import { USERS } from '../../lib/ops/seed/seed-tables.ts'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { holdRoute } from '../support/browser/hold-route.ts'
import { connection, expectFit, mainLink, NARROW, notices, untilLive } from '../support/browser/page-parts.ts'
import { newAccount, openSignIn, signIn, signOut } from '../support/browser/sign-in.ts'
import { startConsole, useConsoleService } from '../support/browser/start-console.ts'
import { POLL_OF_ENDED_SESSION, useConsole } from '../support/browser/use-console.ts'
import { insertComment, insertFoundGame, insertGame, insertNotification } from '../support/rows/rows.ts'

const openConsole = useConsole()

const service = await useConsoleService()
const alice = await service.caller()
const bob = await service.caller()
const keepId = await insertGame(service.db, { name: 'Lantern Keep', slug: 'lantern-keep' })
const userId = new ObjectId(alice.id)
const commentId = await insertComment(service.db, { gameId: keepId, userId, body: '<p>The trial scene!</p>' })

test('a guest opens /, sees the active discussions first, and opens one', async () => {
  const { page } = await openConsole(service)
  await page.goto(service.baseUrl)
  await page.getByRole('heading', { name: 'Discussions', exact: true }).waitFor()

  expect(new URL(page.url()).pathname + new URL(page.url()).hash).toMatch(/^\/console(#\/)?$/)
  await untilLive(page)
  expect(await page.getByRole('link', { name: 'API and events' }).getAttribute('href')).toBe('docs')
  const active = page.getByRole('list', { name: 'Active discussions' })
  const link = active.getByRole('link', { name: 'Lantern Keep' })
  await active.getByText('The trial scene!').waitFor()
  await link.waitFor()
  await expectAccessible(page, 'frame')
  await link.click()
  await page.getByRole('heading', { level: 1, name: 'Lantern Keep' }).waitFor()
})

test('a guest creates an account, changes the password and signs in again by keyboard alone, and then as a demo user', async () => {
  await insertRows(service.db, USERS)
  const { page, expectProblem } = await openConsole(service)
  expectProblem(/400/)
  const { keyboard } = page
  const dialog = page.getByRole('dialog')
  const refusal = page.getByRole('alert').getByText('A password has 8 to 200 characters')
  const choose = async (item: string) => {
    await page.getByRole('button', { name: 'newcomer' }).focus()
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: item }).focus()
    await keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Sign in' }).focus()
  await keyboard.press('Enter')
  await expectAccessible(page, 'sign-in')
  await dialog.getByRole('link', { name: 'Create an account' }).focus()
  await keyboard.press('Enter')
  await dialog.getByRole('textbox', { name: 'User name' }).focus()
  for (const typed of ['newcomer', 'newcomer@example.com']) {
    await keyboard.type(typed)
    await keyboard.press('Tab')
  }
  await keyboard.type('short')
  await keyboard.press('Enter')
  const first = await refusal.elementHandle()
  await keyboard.press('Enter')
  await first?.waitForElementState('hidden')
  await refusal.waitFor()
  await keyboard.type(' at first')
  await keyboard.press('Enter')

  const menu = page.getByRole('button', { name: 'newcomer' })
  await menu.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('menuitem', { name: 'Sign out' }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menuitem').first().waitFor({ state: 'hidden' })
  expect(await menu.evaluate((button) => button.matches(':focus'))).toBe(true)
  await choose('Change password')
  await dialog.getByRole('textbox', { name: 'Current password' }).focus()
  await keyboard.type('short at first')
  await keyboard.press('Tab')
  await keyboard.type('short')
  await keyboard.press('Enter')
  await refusal.waitFor()
  await keyboard.type(' and longer now')
  await keyboard.press('Enter')
  await notices(page).getByText('The password is changed').waitFor()
  await dialog.waitFor({ state: 'detached' })

  await choose('Sign out')
  await openSignIn(page)
  await signIn(page, { email: 'newcomer@example.com', password: 'short and longer now' })
  await choose('Sign out')
  await openSignIn(page)
  await dialog.getByRole('button', { name: 'alice', exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'carol (admin)' }).click()
  await page.getByRole('button', { name: 'carol', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Staff log' }).waitFor()
})

test('the words about a lost connection are not cut off on a narrow page', async () => {
  const { page, context, expectProblem } = await openConsole(service, { viewport: NARROW })
  const line = connection(page)
  await line.getByText('Live').waitFor()
  expectProblem(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await line.getByText(/Connection lost/).waitFor()
  expect(await line.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await expectFit(page)
})

test('the page loads at most 60 kB of JavaScript before a view is open', async () => {
  const { page } = await openConsole(service)
  // The first opening may still be loading the socket, which counts once.
  const loaded = new Set<string>()
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) loaded.add(response.url())
  })
  await page.reload()
  await page.getByRole('heading', { name: 'Discussions', exact: true }).waitFor()
  await untilLive(page)
  const files = await Promise.all([...loaded].map(async (url) => (await fetch(url)).text()))
  expect(files.length).toBeGreaterThan(1)
  expect(gzipSync(files.join('')).length).toBeLessThan(60_000)
})

test('a page at a read-only address names the one that accepts changes', async () => {
  const { page } = await openConsole({ baseUrl: `http://127.0.0.1:${service.port}` })
  await page.getByRole('heading', { name: 'Discussions', exact: true }).waitFor()
  expect(await page.getByRole('alert').count()).toBe(0)

  const elsewhere = await startConsole({ env: { PUBLIC_URL: 'http://play.example:8080' } })
  onTestFinished(() => elsewhere.close())
  const { page: stranger, context } = await openConsole(elsewhere)
  const banner = stranger.getByRole('alert')
  await banner.getByText('http://play.example:8080').waitFor()
  await untilLive(stranger)
  await expectAccessible(stranger)
  await context.close()
})

test('each view has an address for back, forward and reload, and an unknown address is not found', async () => {
  const { page } = await openConsole(service, { as: await service.caller(), address: '#/royal' })
  await page.getByRole('heading', { name: 'Royal games' }).waitFor()
  await mainLink(page, 'My requests').click()
  await page.getByRole('heading', { name: 'My requests' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Royal games' }).waitFor()
  await page.goForward()
  await page.reload()
  await page.getByRole('heading', { name: 'My requests' }).waitFor()
  await page.goto(`${service.baseUrl}/console#/nowhere/at/all`)
  await page.getByRole('heading', { name: 'Not found' }).waitFor()
})

test('a private view requests a sign-in of a guest, and opens after it', async () => {
  const { page, expectProblem } = await openConsole(service, { address: '#/royal' })
  expectProblem(POLL_OF_ENDED_SESSION)
  await page.getByRole('button', { name: 'Go on with an account' }).click()
  await signIn(page, newAccount('royalist'))
  await page.getByText('No royal games yet.').waitFor()
  await signOut(page, 'royalist')
  await page.getByRole('button', { name: 'Go on with an account' }).waitFor()
})

test('the page finds a game by its name, and every view fits 320 px with long names', async () => {
  const reader = await service.caller({ userName: 'a-rather-long-user-name-here' })
  const name = 'Donaudampfschifffahrtsgesellschaftskapitän'
  const gameId = await insertFoundGame(service.db, name, {
    first_release: Date.UTC(1998, 5) / 1_000,
    cover: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
  })
  const body = `<p>https://example.com/${'a'.repeat(120)}</p><pre>${'b'.repeat(120)}</pre>`
  await insertComment(service.db, { gameId, userId: new ObjectId(reader.id), body })
  const { page } = await openConsole(service, { as: reader, viewport: NARROW })
  await page.getByRole('button', { name: 'Notifications' }).waitFor()
  // The header has one line of words and one line of links, even with a long user name.
  expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(110)

  const field = page.getByRole('searchbox', { name: 'Find a game' })
  await field.fill('zzz')
  await page.getByText('No game is called “zzz”.').waitFor()
  const { release, isHeld } = await holdRoute(page, '**/games/search?*')
  await field.fill('donaudampf')
  await isHeld()
  // The search has no answer yet.
  expect(await page.getByText('No game is called').count()).toBe(0)
  release()
  const list = page.getByRole('list', { name: 'Games found' })
  const found = list.getByRole('link', { name })
  await list.locator('img').waitFor()
  await list.getByText('1998').waitFor()
  await expectFit(page)
  await found.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('article').waitFor()
  await expectFit(page)
  for (const view of ['Discussions', 'Royal games', 'My requests']) {
    await mainLink(page, view).click()
    await page.getByRole('heading', { name: view, level: 1 }).waitFor()
    if (view === 'Discussions')
      await page.getByRole('list', { name: 'Active discussions' }).getByRole('link').first().waitFor()
    await expectFit(page)
  }
})

async function reply(body: string): Promise<string> {
  const answer = await bob.post('/comments', { body: { gameId: keepId, parentId: commentId, body } })
  expect(answer.status).toBe(201)
  return answer.body._id
}

test('notifications arrive in the banner and the title, lead to the comment by keyboard alone and are read, all in 320 px', async () => {
  const { page } = await openConsole(service, { as: alice, address: '#/', viewport: NARROW })
  await page.getByRole('list', { name: 'Active discussions' }).getByRole('link').first().waitFor()
  await expectFit(page)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  const _id = await reply(`<p>Well said, ${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}</p>`)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).focus()
  await page.keyboard.press('Enter')
  expect(await page.title()).toMatch(/^\(1\) /)
  const list = page.getByRole('dialog', { name: 'Notifications' }).getByRole('list', { name: 'Notifications' })
  const link = list.getByRole('link', { name: `${bob.user?.userName} replied to you in Lantern Keep` })
  await link.waitFor()
  await expectFit(page)
  await expectAccessible(page)
  await link.focus()
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Linked comment' }).waitFor()
  const linked = page.locator('article[aria-current=true]')
  await linked.getByText('Well said').waitFor()
  expect(page.url()).toContain(`#/games/lantern-keep/comments/${_id}`)
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect(await page.title()).not.toMatch(/^\(/)
  await expectFit(page)
  await expectAccessible(page)
})

test('notifications are marked as read and removed by their buttons', async () => {
  await reply('<p>Once more</p>')
  const { page } = await openConsole(service, { as: alice })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect.poll(async () => (await alice.get('/notifications')).body.unreadCount).toBe(0)
  const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
  await rows.nth(1).waitFor()
  await rows.first().getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => rows.count()).toBe(1)
})

test('notifications of moderators are sentences with the reason', async () => {
  const reader = await service.caller()
  const moderated = { userId: new ObjectId(reader.id), type: 'comment-moderated', gameId: keepId } as const
  const reports = { userId: moderated.userId, type: 'report-decided' } as const
  await insertNotification(service.db, { ...moderated, commentId, facts: { status: 'hidden', reason: 'Spam' } })
  await insertNotification(service.db, { ...moderated, commentId, facts: { status: 'hidden', reason: 'reports' } })
  await insertNotification(service.db, { ...moderated, commentId, facts: { status: 'visible', reason: null } })
  const many = { gameId: null, count: 30, facts: { status: 'hidden', reason: null } } as const
  await insertNotification(service.db, { ...moderated, ...many })
  await insertNotification(service.db, { ...reports, facts: { outcome: 'acted-on' } })
  await insertNotification(service.db, { ...reports, count: 2, facts: { outcome: 'kept' } })
  const suspension = { until: null, reason: 'Thirty links in a minute' }
  await insertNotification(service.db, { ...reports, type: 'account-suspended', facts: suspension })

  const { page } = await openConsole(service, { as: reader })
  await page.getByRole('button', { name: 'Notifications, 7 unread' }).click()
  const links = page.getByRole('list', { name: 'Notifications' }).getByRole('link')
  await links.nth(6).waitFor()
  expect((await links.allInnerTexts()).map((text) => text.replace(/^Unread:\s+/, ''))).toEqual([
    'Your account is suspended for good: Thirty links in a minute',
    'A moderator looked at 2 comments that you reported, and kept them',
    'A moderator acted on a comment that you reported',
    'A moderator hid 30 of your comments',
    'A moderator approved your comment in Lantern Keep',
    'Several reports hid your comment in Lantern Keep until a moderator decides',
    'A moderator hid your comment in Lantern Keep: Spam',
  ])
})
