import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { expectFit, HOLD_MS, notices, outbox } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { insertFoundGame, insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()
const NAMES = ['Amber Road', 'Brass Moon', 'Cinder Hall', 'Dune Post']
let reader: Caller

const service = await useConsoleService()
const ids = await Promise.all(NAMES.map((name) => insertFoundGame(service.db, name)))
beforeEach(async () => {
  reader = await service.caller()
  await setList(ids)
})

const setList = (royalGames: readonly ObjectId[]) =>
  service.db.users.updateOne({ _id: new ObjectId(reader.id) }, { $set: { royalGames: [...royalGames] } })
const stored = async () => {
  const { royalGames = [] } = (await service.db.users.findOne({ _id: new ObjectId(reader.id) })) ?? {}
  return royalGames.map((id) => NAMES[ids.findIndex((other) => other.equals(id))])
}
const items = (page: Page) => page.getByRole('list', { name: 'Royal games' }).getByRole('listitem')
const shown = async (page: Page) =>
  (await items(page).allInnerTexts()).map((text) => NAMES.find((name) => text.includes(name)))

async function openList({ hasClock = false } = {}) {
  const tab = await openConsole(service, { as: reader, address: '#/royal', hasClock })
  await items(tab.page).first().waitFor()
  await expect.poll(() => shown(tab.page)).not.toContain(undefined)
  return tab
}

test('games move by keyboard alone: the position is announced, and the focus stays', async () => {
  const { page } = await openList()
  await items(page).nth(0).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => shown(page)).toEqual(['Brass Moon', 'Amber Road', 'Cinder Hall', 'Dune Post'])
  await page.getByText('Amber Road, position 2 of 4').waitFor({ state: 'attached' })
  await expect.poll(() => page.locator(':focus').innerText()).toContain('Amber Road')
  await page.keyboard.press('Alt+End')
  await expect.poll(() => shown(page)).toEqual(['Brass Moon', 'Cinder Hall', 'Dune Post', 'Amber Road'])
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('Alt+Home')
  await expect.poll(() => shown(page)).toEqual(['Amber Road', 'Brass Moon', 'Cinder Hall', 'Dune Post'])
  await expect.poll(() => page.locator(':focus').innerText()).toContain('Amber Road')
  await expect.poll(stored).toEqual(NAMES)
  await expectAccessible(page, 'royal')
})

test('games move to a typed position, by keyboard alone', async () => {
  const { page } = await openList()
  await page.getByRole('button', { name: 'Move Dune Post', exact: true }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move Dune Post' })
  const place = dialog.getByRole('spinbutton', { name: 'Place' })
  expect(await place.inputValue()).toBe('4')
  await place.fill('5')
  await page.keyboard.press('Enter')
  await dialog.getByText('Name a place from 1 to 4').waitFor()
  await expectAccessible(page)
  await place.fill('2')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(stored).toEqual(['Amber Road', 'Dune Post', 'Brass Moon', 'Cinder Hall'])
  await page.getByText('Dune Post, position 2 of 4').waitFor({ state: 'attached' })
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Move Dune Post')
})

test('royal games are dragged by the handle, and a change of another tab during the drag stays', async () => {
  const [{ page: one }, { page: two }] = [await openList(), await openList()]
  const handle = items(one).nth(0).locator('.handle')
  const [from, to] = [await handle.boundingBox(), await items(one).nth(2).boundingBox()]
  if (from === null || to === null) throw new Error('The list is not shown')

  await one.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await one.mouse.down()
  await one.mouse.move(from.x + from.width / 2, to.y + to.height - 4, { steps: 6 })
  await items(two).nth(3).getByRole('button', { name: 'Remove Dune Post' }).click()
  await expect.poll(() => items(one).count()).toBe(3)
  await one.mouse.up()

  for (const page of [one, two])
    await expect.poll(() => shown(page)).toEqual(['Brass Moon', 'Cinder Hall', 'Amber Road'])
  await one.locator('li:focus').getByText('Amber Road').waitFor()
  await expect.poll(stored).toEqual(['Brass Moon', 'Cinder Hall', 'Amber Road'])
})

test('royal games are added by name and removed; the count and the other tab follow, and a deleted game is named', async () => {
  await setList(ids.slice(0, 1))
  const [{ page: one }, { page: two }] = [await openList(), await openList()]
  await one.getByText('1 of 500').waitFor()
  await one.getByRole('combobox', { name: 'Add a game' }).fill('cinder')
  await one.getByRole('option', { name: 'Cinder Hall' }).waitFor()
  await one.keyboard.press('Enter')
  for (const page of [one, two]) {
    await page.getByText('2 of 500').waitFor()
    await expect.poll(() => shown(page)).toEqual(['Amber Road', 'Cinder Hall'])
  }
  await two.getByRole('button', { name: 'Remove Amber Road' }).click()
  await expect.poll(() => shown(one)).toEqual(['Cinder Hall'])

  const gone = await insertFoundGame(service.db, 'Evening Star')
  await two.getByRole('combobox', { name: 'Add a game' }).fill('evening')
  await two.getByRole('option', { name: 'Evening Star' }).waitFor()
  await service.db.games.deleteOne({ _id: gone })
  await two.keyboard.press('Enter')
  await notices(two).getByText('Evening Star').waitFor()
  await expect.poll(() => shown(two)).toEqual(['Cinder Hall'])
})

test('royal games are found with the keys: the chosen one is in sight, and an input method keeps its Enter', async () => {
  await setList([])
  const { page } = await openConsole(service, { as: reader, address: '#/royal' })
  const field = page.getByRole('combobox', { name: 'Add a game' })
  for (let n = 0; n < 8; n += 1) await insertFoundGame(service.db, `Tall Tower ${n}`)
  await page.setViewportSize({ width: 800, height: 600 })
  await field.fill('tall tower')
  const options = page.getByRole('option')
  await expect.poll(() => options.count()).toBe(8)
  for (let n = 0; n < 7; n += 1) await page.keyboard.press('ArrowDown')
  const isInSight = () =>
    options.last().evaluate((option) => {
      const [own, list] = [option.getBoundingClientRect(), option.parentElement?.getBoundingClientRect()]
      return list !== undefined && own.bottom <= list.bottom + 1 && own.top >= list.top - 1
    })
  await expect.poll(isInSight).toBe(true)

  await field.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })
  expect(await options.count()).toBe(8)
  await page.keyboard.press('Enter')
  await page.getByText('1 of 500').waitFor()
})

test('royal games fit 320 px, and a drag that is held at the edge scrolls', async () => {
  const names = Array.from({ length: 30 }, (_, n) => `Averyveryverylongnamewithoutanyplacetobreakit${n}`)
  const many = await Promise.all(names.map((name) => insertGame(service.db, { name })))
  await setList(many)
  const { page } = await openConsole(service, {
    as: reader,
    address: '#/royal',
    viewport: { width: 320, height: 600 },
  })
  await items(page).nth(29).waitFor()
  await items(page)
    .getByText(names[0] ?? '')
    .waitFor()
  await expectFit(page)

  const handle = await items(page).nth(0).locator('.handle').boundingBox()
  if (handle === null) throw new Error('The list is not shown')
  await page.mouse.move(handle.x + 5, handle.y + 5)
  await page.mouse.down()
  await page.mouse.move(handle.x + 5, 590)
  const isAtEnd = () => page.evaluate('innerHeight + scrollY >= document.documentElement.scrollHeight - 2')
  await expect.poll(isAtEnd).toBe(true)
  await page.mouse.up()
  await expect.poll(() => items(page).nth(0).innerText()).toContain(names[1])
})

test('royal games are kept as a preset, loaded and deleted with Undo, also while their dialog is open', async () => {
  // The wheel stores a list as text.
  const asText = { name: 'Old pair', preset: JSON.stringify(ids.slice(0, 2)) }
  await reader.put(`/user/presets/${reader.id}`, { body: asText })
  const presets = async () => (await reader.get(`/user/presets/${reader.id}`)).body.presets
  const { page } = await openList({ hasClock: true })
  const dialog = page.getByRole('dialog', { name: 'Presets' })
  const menu = page.getByRole('button', { name: reader.user?.userName ?? '' })
  const open = async () => {
    await menu.click()
    await page.getByRole('menuitem', { name: 'Presets' }).click()
  }
  await open()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('All four')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('button', { name: 'Load All four' }).waitFor()
  expect(await presets()).toContainEqual({ name: 'All four', preset: ids.map(String) })
  await expectAccessible(page, 'presets')

  const remove = dialog.getByRole('button', { name: 'Delete All four' })
  await remove.click()
  await remove.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Undo' }).click()
  await remove.click()
  await dialog.getByRole('button', { name: 'Load Old pair' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 of 500').waitFor()
  await expect.poll(() => outbox(page).getByRole('listitem').count()).toBe(2)
  await outbox(page).getByRole('button', { name: 'Undo' }).first().click()
  await page.getByText('4 of 500').waitFor()
  await page.clock.fastForward(HOLD_MS)
  await outbox(page).waitFor({ state: 'detached' })
  expect((await presets()).map(({ name }: { name: string }) => name)).toEqual(['Old pair'])
  expect(await stored()).toEqual(NAMES)

  // Another change of a loaded list follows it.
  await open()
  await dialog.getByRole('button', { name: 'Load Old pair' }).click()
  // An element under a modal dialog cannot take the focus.
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 of 500').waitFor()
  // The dialog gives the focus back after its end.
  await expect.poll(() => menu.evaluate((button) => button.matches(':focus'))).toBe(true)
  await items(page).nth(1).focus()
  await page.keyboard.press('Alt+Home')
  await expect.poll(stored).toEqual(NAMES.slice(0, 2).toReversed())
})

test('removed games come back into their place by Undo', async () => {
  const { page } = await openList({ hasClock: true })
  await page.getByRole('button', { name: 'Remove Amber Road' }).click()
  await page.getByText('3 of 500').waitFor()
  await outbox(page).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('4 of 500').waitFor()
  await page.getByRole('button', { name: 'Remove Amber Road' }).click()
  await page.getByRole('combobox', { name: 'Add a game' }).fill('amber')
  await page.getByRole('option', { name: 'Amber Road' }).click()
  await page.getByText('4 of 500').waitFor()
  await page.clock.fastForward(2 * HOLD_MS)
  expect(await stored()).toEqual(NAMES)
})

test('games of a long list are read 100 at a time, because a proxy refuses longer addresses', async () => {
  const more = Array.from({ length: 246 }, (_, n) => insertGame(service.db, { name: `Lantern ${n}` }))
  await setList([...ids, ...(await Promise.all(more))])
  const { page } = await openConsole(service, { as: reader, address: '#/my-requests' })
  const sizes: number[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/games/by-ids') sizes.push(searchParams.get('_ids')?.split(',').length ?? 0)
  })
  await page.evaluate("location.hash = '#/royal'")
  await items(page).last().getByText('Lantern 245').waitFor()
  expect(sizes.toSorted((a, b) => a - b)).toEqual([50, 100, 100])
})
