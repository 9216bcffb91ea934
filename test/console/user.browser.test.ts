import { ObjectId } from 'mongodb'
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { expectFit } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()
const service = await useConsoleService()

test('an admin reads the record of a user, writes a note, hides all comments, shows them again, and suspends', async () => {
  const [admin, user] = [await service.caller({ isAdmin: true }), await service.caller({ userName: 'wave' })]
  const gameId = await insertGame(service.db)
  const _id = await insertComment(service.db, { gameId, userId: new ObjectId(user.id), body: '<p>Cheap links</p>' })
  service.deps.commentActs.start()
  const { page } = await openConsole(service, { as: admin, address: `#/games/${gameId}` })
  await page.getByRole('link', { name: 'wave' }).click()
  await page.getByText('Comments: 1 visible, 0 hidden, 0 deleted').waitFor()
  await page.getByText('Cheap links').waitFor()
  await expectAccessible(page)

  await page.getByRole('textbox', { name: 'Note' }).fill('Seen before')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByText(': Seen before').waitFor()
  const status = async () => (await service.db.comments.findOne({ _id }))?.status
  await page.getByRole('button', { name: 'Hide all comments' }).click()
  await expect.poll(status, { timeout: 20_000 }).toBe('hidden')
  await page.getByRole('button', { name: 'Show them again' }).click()
  await expect.poll(status, { timeout: 20_000 }).toBe('visible')
  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill('Spam')
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click()
  await page.getByText('Suspended until').first().waitFor()
  await page.setViewportSize({ width: 320, height: 700 })
  await expectFit(page)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'End suspension' }).click()
  await page.getByRole('button', { name: 'Suspend', exact: true }).waitFor()
})

test("names lead an admin from the home, a reply's head and a notification to their users", async () => {
  const admin = await service.caller({ isAdmin: true })
  const [asker, helper] = [await service.caller({ userName: 'asker' }), await service.caller({ userName: 'helper' })]
  const gameId = await insertGame(service.db)
  const post = async (caller: Caller, parentId: unknown) =>
    (await caller.post('/comments', { body: { gameId, parentId, body: 'Why?' } })).body._id as string
  const askedId = await post(asker, await insertComment(service.db, { gameId, userId: new ObjectId(admin.id) }))
  const replyId = await post(helper, askedId)
  const { page } = await openConsole(service, { as: admin, address: '#/' })
  const linkIn = (place: Locator, name: string) => place.getByRole('link', { name, exact: true })
  await linkIn(page.getByRole('list', { name: 'Active discussions' }), 'helper').click()
  await page.getByRole('heading', { name: 'helper' }).waitFor()

  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await expectAccessible(page)
  await linkIn(dialog, 'asker').click()
  await page.getByRole('heading', { name: 'asker' }).waitFor()
  expect(await dialog.count()).toBe(0)

  await page.evaluate(`location.hash = '#/games/${gameId}/comments/${replyId}'`)
  await linkIn(page.getByRole('article', { name: 'Comment by helper' }).first(), 'asker').click()
  await page.getByRole('heading', { name: 'asker' }).waitFor()
})

test('a reset link and a typed note do not stay on the page of another user', async () => {
  const [admin, one, other] = [
    await service.caller({ isAdmin: true }),
    await service.caller({ userName: 'one' }),
    await service.caller({ userName: 'other' }),
  ]
  const { page } = await openConsole(service, { as: admin, address: `#/users/${one.id}` })
  await page.getByRole('button', { name: 'Make a reset link' }).click()
  await page.getByRole('region', { name: 'Reset link' }).waitFor()
  await page.getByRole('textbox', { name: 'Note' }).fill('About one')
  await page.evaluate(`location.hash = '#/users/${other.id}'`)
  await page.getByRole('heading', { name: 'other' }).waitFor()
  expect(await page.getByRole('region', { name: 'Reset link' }).count()).toBe(0)
  expect(await page.getByRole('textbox', { name: 'Note' }).inputValue()).toBe('')
})
