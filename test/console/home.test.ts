import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { startConsole } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()

const service = await startConsole()
const alice = await service.caller()
const bob = await service.caller()
const gameId = await insertGame(service.db, { name: 'Lantern Keep', slug: 'lantern-keep' })
const userId = new ObjectId(alice.id)
const commentId = await insertComment(service.db, { gameId, userId, body: '<p>The trial scene!</p>' })
afterAll(() => service.close())

async function reply(body: string): Promise<string> {
  const answer = await bob.post('/comments', { body: { gameId, parentId: commentId, body } })
  expect(answer.status).toBe(201)
  return answer.body._id
}

describe('home', () => {
  test('shows a guest where people talk, and leads there', async () => {
    const { page } = await openConsole(service, { address: '#/' })
    const active = page.getByRole('list', { name: 'Active discussions' })
    await active.getByRole('link', { name: /Lantern Keep.*The trial scene!/ }).waitFor()
    await expectAccessible(page)
    await active.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'Lantern Keep' }).waitFor()
  })

  test('shows a user what is his', async () => {
    const { page } = await openConsole(service, { as: alice, address: '#/discussions' })
    await page.getByRole('heading', { name: 'Your requests' }).waitFor()
    await page.getByText('No royal games yet.').waitFor()
  })
})

describe('notifications', () => {
  test('arrive in the banner and the title, lead to the comment, and are read', async () => {
    const { page } = await openConsole(service, { as: alice, address: '#/royal' })
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    const _id = await reply('<p>Well said</p>')
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    expect(await page.title()).toMatch(/^\(1\) /)
    const list = page.getByRole('dialog', { name: 'Notifications' }).getByRole('list', { name: 'Notifications' })
    const link = list.getByRole('link', { name: `${bob.user?.userName} replied to you in Lantern Keep` })
    await link.waitFor()
    await expectAccessible(page)
    await link.click()

    await page.getByRole('heading', { name: 'Linked comment' }).waitFor()
    const linked = page.locator('article[aria-current=true]')
    await linked.getByText('Well said').waitFor()
    expect(page.url()).toContain(`#/games/lantern-keep/comments/${_id}`)
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
    expect(await page.title()).not.toMatch(/^\(/)
  })

  test('are marked as read and removed by their buttons', async () => {
    await reply('<p>Once more</p>')
    const { page } = await openConsole(service, { as: alice })
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await expect.poll(async () => (await alice.get('/notifications')).body.unread).toBe(0)
    const rows = page.getByRole('list', { name: 'Notifications' }).getByRole('listitem')
    await rows.nth(1).waitFor()
    await rows.first().getByRole('button', { name: 'Remove' }).click()
    await expect.poll(() => rows.count()).toBe(1)
  })
})

test('home, notifications and a linked comment fit 320 px and are reached by keyboard alone', async () => {
  const id = await reply(`<p>${'Donaudampfschifffahrtsgesellschaft'.repeat(4)}</p>`)
  const viewport = { width: 320, height: 640 }
  const { page } = await openConsole(service, { as: alice, address: '#/', viewport })
  const expectFit = async () =>
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
  await page.getByRole('list', { name: 'Active discussions' }).getByRole('link').first().waitFor()
  await expectFit()

  await page.getByRole('button', { name: /^Notifications, \d+ unread$/ }).focus()
  await page.keyboard.press('Enter')
  const link = page.getByRole('dialog', { name: 'Notifications' }).getByRole('link').first()
  await link.waitFor()
  await expectFit()
  await link.focus()
  await page.keyboard.press('Enter')
  await page.locator('article[aria-current=true]').waitFor()
  expect(page.url()).toContain(id)
  await expectFit()
  await expectAccessible(page)
})

test('a linked comment that may not be read says so', async () => {
  const { page, expectProblem } = await openConsole(service, {
    address: `#/games/lantern-keep/comments/${new ObjectId()}`,
  })
  expectProblem(/404/)
  await page.getByText('This comment may not be read.').waitFor()
  await page.getByRole('link', { name: 'All comments' }).waitFor()
})
