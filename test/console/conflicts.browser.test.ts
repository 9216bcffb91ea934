import { ObjectId } from 'mongodb'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConflictDocument } from '../../lib/infrastructure/db/collections/conflicts.ts'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { holdRoute } from '../support/browser/hold-route.ts'
import { HOLD_MS, mainLink, outbox, untilLive } from '../support/browser/page-parts.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { subjectOf } from '../support/rows/entries.ts'
import { insertConflict, insertFoundGame, insertGame, insertPlatform } from '../support/rows/rows.ts'

const openConsole = useConsole()
const NAMES = ['Amber Road', 'Brass Moon', 'Cinder Hall']

const service = await useConsoleService()
const carol = await service.caller({ userName: 'carol', isAdmin: true })
const dora = await service.caller({ userName: 'dora', isAdmin: true })
const platform = await insertPlatform(service.db, { name: 'Dreamcast' })
const games = await Promise.all(
  NAMES.map((name, index) =>
    insertFoundGame(service.db, name, {
      slug: name.toLowerCase().replace(' ', '-'),
      first_release: Date.UTC(1998 + index, 0, 21) / 1_000,
      companies: [{ name: 'Wick & Sons', developer: true }],
      platformIds: [platform],
      ...(index === 1 && { igdb: { gameId: 77 } }),
    }),
  ),
)
beforeEach(async () => {
  await service.db.conflicts.deleteMany({})
})

const BREAKDOWN = { title: 12.3, companies: 4, date: -3.5, platforms: 0, genre: 0, type: 0 }

/** Conflicts of one source, the first the oldest, each with the first two games as candidates. */
async function insertConflicts(count: number, facts: Partial<ConflictDocument> = {}): Promise<ConflictDocument[]> {
  const candidates = games.slice(0, 2).map((gameId, place) => ({
    gameId,
    slug: 'old',
    name: 'Old name',
    score: 90 - 30 * place,
    breakdown: BREAKDOWN,
    dateSignal: 'contradicts' as const,
  }))
  const records = Array.from({ length: count }, (_, index) => {
    const name = `Entry ${index + 1}`
    return insertConflict(service.db, {
      externalId: String(100 + index),
      externalName: name,
      createdAt: new Date(Date.now() - (count - index) * 60_000),
      candidates,
      externalData: {
        ...subjectOf(name),
        description: 'A road, and amber.',
        released: '1998-01-21',
        developers: ['Wick & Sons'],
        platformIds: [],
        url: 'https://example.com/entry',
      },
      ...facts,
    })
  })
  return await Promise.all(records)
}

const stored = async (externalId: string) => {
  const record = await service.db.conflicts.findOne({ externalId })
  return record && { decision: record.decision ?? null, winner: record.winner?.toHexString() ?? null }
}
const matched = (game: number) => ({ decision: 'match', winner: games[game]?.toHexString() })
const WAITING = { decision: null, winner: null }

const openList = (query = '') => openConsole(service, { as: carol, address: `#/conflicts${query}` })
const openReview = (externalId: string) =>
  openConsole(service, { as: carol, address: `#/conflicts/igdb/${externalId}`, hasClock: true })
/** True when the outbox surely still holds a change of that time. A busy page may be late, but its timer is not. */
const isHeldSince = (time: number) => Date.now() - time < HOLD_MS - 500
const table = (page: Page) => page.getByRole('table', { name: 'Conflicts' })
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const chosen = (page: Page) => page.getByRole('listbox', { name: 'Candidates' }).locator('[aria-selected="true"]')

describe('the list of conflicts', () => {
  test('counts by source, filters, searches, and begins a review with the oldest', async () => {
    await insertConflicts(2)
    await insertConflicts(1, { source: 'ra', externalId: '900', externalName: 'Brass Moon DX' })
    await insertConflicts(1, { externalId: '901', externalName: 'Long decided', status: 'resolved' })
    const { page } = await openList()
    await page.getByText('3 waiting, 0 being applied').waitFor()
    expect((await page.getByRole('tab').allInnerTexts()).map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'All 3',
      'VNDB 0',
      'IGDB 2',
      'HLTB 0',
      'RetroAchievements 1',
    ])
    expect(await table(page).getByRole('row').count()).toBe(5)
    await page
      .getByRole('link', { name: 'Conflicts' })
      .and(page.locator('[aria-describedby="waiting-conflicts"]'))
      .waitFor()
    await expectAccessible(page, 'conflicts')

    await page.getByRole('tab', { name: 'IGDB' }).click()
    await table(page).getByText('Brass Moon DX').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Matched' })
    await expect.poll(() => table(page).getByRole('row').count()).toBe(2)
    await table(page).getByRole('link', { name: 'Long decided' }).waitFor()
    await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'All' })
    await page.getByRole('searchbox', { name: 'Search' }).fill('entry 2')
    await expect.poll(() => page.url()).toContain('search=entry')
    await table(page).getByRole('link', { name: 'Entry 1' }).waitFor({ state: 'detached' })
    await page.reload()
    await table(page).getByRole('link', { name: 'Entry 2' }).waitFor()
    expect(await page.getByRole('tab', { name: 'IGDB' }).getAttribute('aria-selected')).toBe('true')

    await page.getByRole('button', { name: 'Start review' }).click()
    await heading(page, 'Entry 2').waitFor()
  })

  test('leads to the latest decisions of the matcher, and a review reopens one of them', async () => {
    const winner = await insertFoundGame(service.db, 'Ochre Ferry', { igdb: { gameId: 903 } })
    const automatic = { status: 'resolved', decision: 'match', isAutomatic: true, winner } as const
    await insertConflicts(1, { externalId: '903', ...automatic, decidedAt: new Date() })
    await insertConflicts(1, { externalId: '902', ...automatic, decidedAt: new Date(0), externalName: 'Of long ago' })
    const { page } = await openList()
    await expect.poll(() => table(page).getByText('automatic', { exact: true }).count()).toBe(2)
    await expectAccessible(page)
    await page.getByRole('combobox', { name: 'Decided by' }).selectOption({ label: 'people' })
    await table(page).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: '1 matched automatically in the last 7 days' }).click()
    await table(page).getByText('Of long ago').waitFor({ state: 'detached' })
    await table(page).getByRole('link', { name: 'Entry 1' }).click()
    await page.getByText('Decided automatically').waitFor()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Match' }).and(page.locator(':enabled')).waitFor()
    expect(await service.db.games.countDocuments({ 'igdb.gameId': 903 })).toBe(0)
  })

  test('agrees with its address', async () => {
    await insertConflicts(32)
    await insertConflicts(1, { externalId: '900', externalName: 'Long decided', status: 'resolved' })
    const { page } = await openList('?state=matched')
    const state = page.getByRole('combobox', { name: 'State' })
    await table(page).getByRole('link', { name: 'Long decided' }).waitFor()
    expect(await state.inputValue()).toBe('matched')

    await mainLink(page, 'Conflicts').click()
    await table(page).getByRole('link', { name: 'Entry 30' }).waitFor()
    expect(await state.inputValue()).toBe('all')

    await page.evaluate("location.hash = '#/conflicts?source=igdb&search=entry+3'")
    await expect.poll(() => page.getByRole('searchbox', { name: 'Search' }).inputValue()).toBe('entry 3')
    await table(page).getByRole('link', { name: 'Entry 4' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Entry 31' }).click()
    await heading(page, 'Entry 31').waitFor()
    await page.getByRole('link', { name: 'IGDB', exact: true }).click()
    await table(page).getByRole('link', { name: 'Entry 31' }).waitFor()

    await page.evaluate("location.hash = '#/conflicts?source=igdb&state=waiting'")
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect.poll(() => page.url()).toContain('page=2')
    await expect.poll(() => table(page).getByRole('row').count()).toBe(3)
    await page.reload()
    await expect.poll(() => table(page).getByRole('row').count()).toBe(3)
    await page.evaluate("location.hash = '#/conflicts?source=igdb&state=waiting&page=9999'")
    await expect.poll(() => page.url()).toContain('page=2')
    await expect.poll(() => table(page).getByRole('row').count()).toBe(3)
    await page.getByRole('button', { name: 'Previous' }).click()
    await expect.poll(() => table(page).getByRole('row').count()).toBe(31)
  })

  test('moves nothing while it loads', async () => {
    await insertConflicts(20)
    const { page } = await openList()
    await page.addInitScript(`self.shift = 0
      new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) self.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    for (const width of [320, 1180, 1440]) {
      await page.setViewportSize({ width, height: 800 })
      await page.reload()
      await page.getByRole('link', { name: 'Entry 20', exact: true }).waitFor()
      await page.locator('#waiting-conflicts').waitFor()
      expect(await page.evaluate('self.shift'), `${width} px`).toBeLessThan(0.05)
    }
  })

  test('names the next step while it is empty', async () => {
    const { page } = await openList()
    await page.getByText('No conflicts.').waitFor()
    await page.getByRole('searchbox', { name: 'Search' }).fill('none')
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByText('No conflicts.').waitFor()
    expect(await page.getByRole('button', { name: 'Start review' }).isDisabled()).toBe(true)
  })
})

describe('a review', () => {
  test('stays in the filter that it began in, and leads only to addresses of the web', async () => {
    await insertConflicts(3)
    await service.db.conflicts.updateMany({}, { $set: { 'externalData.url': 'javascript:alert(1)' } })
    await service.db.conflicts.updateOne({ externalId: '102' }, { $set: { externalName: 'Brass Moon' } })
    await service.db.conflicts.updateOne({ externalId: '100' }, { $set: { externalName: 'Brass Sun' } })
    const { page } = await openList('?search=brass')
    await page.getByRole('link', { name: 'Brass Sun' }).click()
    await heading(page, 'Entry 1').waitFor()
    expect(await page.getByRole('region', { name: 'Entry' }).getByRole('link').count()).toBe(0)
    await page.getByRole('button', { name: 'Skip' }).click()
    await heading(page, 'Entry 3').waitFor()
    expect(page.url()).toContain('search=brass')
    await page.getByRole('button', { name: 'Undo' }).click()
    await heading(page, 'Entry 1').waitFor()
    expect(await stored('100')).toEqual(WAITING)
  })

  test('shows the entry beside five candidates in the same rows, with bars of parts that add up to the points', async () => {
    const gone = new ObjectId()
    const [first] = await insertConflicts(1, {
      failure: { message: 'IGDB 77 already belongs to "Brass Moon"', at: new Date() },
    })
    if (first === undefined) throw new Error('There is no conflict')
    const more = await Promise.all(['Dune Gate', 'Ember Way'].map((name) => insertGame(service.db, { name })))
    const added = [gone, ...more].map((gameId, place) => ({ gameId, slug: 'old', name: 'Other', score: 20 - place }))
    const candidates = [...(first.candidates ?? []), ...added]
    await service.db.conflicts.updateOne({ _id: first._id }, { $set: { candidates } })
    const { page } = await openReview('100')
    await page.getByRole('alert').getByText('IGDB 77 already belongs to "Brass Moon"').waitFor()
    const entry = page.getByRole('region', { name: 'Entry' })
    expect(await entry.innerText()).toContain('21 Jan 1998')
    expect(await entry.getByRole('link').getAttribute('href')).toBe('https://example.com/entry')

    const options = page.getByRole('listbox', { name: 'Candidates' }).getByRole('option')
    const [best = '', linked = '', deleted = ''] = await options.allInnerTexts()
    const expected = ['90', 'title +57', 'date -5', 'date contradicts it', 'Amber Road', 'Dreamcast', 'same', 'differs']
    for (const words of expected) expect(best).toContain(words)
    for (const words of ['linked to 77', '1 year later']) expect(linked).toContain(words)
    expect(deleted).toContain('deleted')
    expect(await options.nth(2).getAttribute('aria-disabled')).toBe('true')
    await options.nth(2).click({ force: true })
    await expect.poll(() => chosen(page).innerText()).toContain('Amber Road')
    await page.getByText('Skip makes a new game of this entry.').waitFor()
    await expectAccessible(page, 'conflict')

    await page.setViewportSize({ width: 1440, height: 900 })
    await options.nth(4).waitFor()
    const boxes = await Promise.all([0, 1, 2, 3, 4].map((place) => options.nth(place).boundingBox()))
    const entryBox = await entry.boundingBox()
    for (const [place, box] of boxes.entries()) {
      const before = place === 0 ? entryBox : boxes[place - 1]
      expect(box?.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0))
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(1440)
    }
    const tops: number[][] =
      await page.evaluate(`['.entry', '.option:nth-child(1)', '.option:nth-child(5)'].map((side) =>
      [...document.querySelectorAll(side + ' .fact')].map((fact) => Math.round(fact.getBoundingClientRect().top)))`)
    expect(tops[0]?.length).toBe(7)
    expect(tops[1]).toEqual(tops[0])
    expect(tops[2]).toEqual(tops[0])

    const bar: { whole: number; gained: number; lost: number } = await page.evaluate(`(() => {
      const bar = document.querySelector('.points-bar')
      const toWidth = (side) => [...bar.querySelectorAll(side)].reduce((sum, { clientWidth }) => sum + clientWidth, 0)
      return { whole: bar.clientWidth, gained: toWidth('[data-part]'), lost: toWidth('.against') }
    })()`)
    const words = await options.first().locator('.breakdown').innerText()
    const points = [...words.matchAll(/[+-]\d+/g)].map(Number)
    const sumOf = (list: number[]) => list.reduce((sum, point) => sum + point, 0)
    expect(sumOf(points)).toBe(90)
    const whole = Math.max(100, sumOf(points.filter((point) => point > 0)))
    expect(Math.abs((whole * (bar.gained - bar.lost)) / bar.whole - 90)).toBeLessThan(2)
  })

  test('continues through the pages of its filter, and with another source when no filter names a source', async () => {
    await insertConflicts(32)
    await insertConflicts(1, { source: 'ra', externalId: '900', externalName: 'Brass Moon DX' })
    const { page, expectProblem } = await openList('?source=igdb&page=2')
    await page.getByRole('link', { name: 'Entry 31' }).click()
    await heading(page, 'Entry 31').waitFor()
    await page.getByRole('button', { name: 'Skip' }).click()
    await heading(page, 'Entry 32').waitFor()
    expect(page.url()).toContain('page=2')
    await page.getByRole('button', { name: 'Skip' }).click()
    await heading(page, 'Entry 1').waitFor()
    expect(page.url()).not.toContain('page=')

    // The outbox is sent when the page is left.
    expectProblem(/404/)
    await service.db.conflicts.deleteMany({ source: 'igdb', externalId: { $ne: '100' } })
    await page.goto(`${service.baseUrl}/console#/conflicts/igdb/100`)
    await page.reload()
    await page.getByRole('button', { name: 'Skip' }).click()
    await expect.poll(() => page.url()).toContain('#/conflicts/ra/900')
  })

  test('decides several conflicts by keyboard alone; the next is shown at once, and each decision is sent once', async () => {
    await insertConflicts(4)
    const { page } = await openReview('100')
    const sent: string[] = []
    const read: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/decision'))
        sent.push(`${new URL(request.url()).pathname} ${request.postData()}`)
    })
    page.on('requestfinished', (request) => read.push(new URL(request.url()).pathname))
    await heading(page, 'Entry 1').waitFor()
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => chosen(page).innerText()).toContain('Brass Moon')
    const decidedAt = Date.now()
    await page.keyboard.press('ArrowRight')
    await heading(page, 'Entry 2').waitFor()
    await page.keyboard.press('ArrowLeft')
    await heading(page, 'Entry 3').waitFor()
    await expect.poll(() => read).toContain('/conflicts/igdb/103')
    const { release } = await holdRoute(page, '**/conflicts/igdb/103')
    await page.keyboard.press('ArrowRight')
    await heading(page, 'Entry 4').waitFor()
    if (isHeldSince(decidedAt)) expect(sent).toEqual([])
    release()

    // The keys decide nothing in a dialog or a field, with a modifier, or while a key is held.
    await page.getByRole('button', { name: 'carol' }).click()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Change password' }).click()
    await page.getByRole('button', { name: 'Close' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+ArrowRight')
    await page.keyboard.down('ArrowUp')
    await page.keyboard.up('ArrowUp')
    await page.evaluate("dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', repeat: true }))")
    await page.getByRole('searchbox', { name: 'Find another game' }).focus()
    await page.keyboard.press('ArrowRight')
    expect(await outbox(page).getByRole('listitem').count()).toBeLessThanOrEqual(3)
    await heading(page, 'Entry 4').waitFor()

    await page.clock.fastForward(HOLD_MS)
    await expect.poll(() => stored('102')).toEqual(matched(0))
    await expect.poll(() => stored('100')).toEqual(matched(1))
    await expect.poll(() => stored('101')).toEqual({ decision: 'skip', winner: null })
    expect(await stored('103')).toEqual(WAITING)
    await outbox(page).waitFor({ state: 'detached' })
    expect(sent.length).toBe(3)
    await page.getByText('1 waiting').first().waitFor()
  })

  test('no key decides while a menu or dialog is opening, open or closing', async () => {
    await insertConflicts(3)
    const { page } = await openReview('100')
    await heading(page, 'Entry 1').waitFor()
    await page.getByText('3 waiting').first().waitFor()
    // Each click comes as soon as what it needs is there, and each key in the next task, before the page is drawn.
    const focused = await page.evaluate(`(async () => {
      const endTask = () => new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = resolve
        port2.postMessage(null)
      })
      const press = async (key = 'ArrowRight') => {
        await endTask()
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        await endTask()
      }
      await press('ArrowLeft')
      while (document.querySelector('h1').textContent !== 'Entry 2') await endTask()
      document.querySelector('[aria-haspopup=menu]').click()
      await press()
      await new Promise((resolve) => setTimeout(resolve, 300))
      const focused = document.activeElement.role
      document.getElementById('main').focus()
      await press()
      const items = [...document.querySelectorAll('[role=menuitem]')]
      items.find(({ textContent }) => textContent === 'Presets').click()
      await press()
      document.querySelector('dialog [aria-label=Close]').click()
      await endTask()
      return focused
    })()`)
    expect(focused).toBe('menuitem')
    expect(await outbox(page).getByRole('listitem').count()).toBe(1)
    await heading(page, 'Entry 2').waitFor()
    await page.keyboard.press('ArrowLeft')
    await heading(page, 'Entry 3').waitFor()
  })

  test('a decision of another admin is shown within a second; the item stays, and its buttons are disabled', async () => {
    await insertConflicts(2)
    const { page } = await openReview('100')
    await heading(page, 'Entry 1').waitFor()
    await untilLive(page)
    await dora.post('/conflicts/igdb/100/decision', { body: { gameId: games[0]?.toHexString() } })
    await page.getByText('Already decided by dora').waitFor()
    for (const name of ['Match', 'Skip']) expect(await page.getByRole('button', { name }).isDisabled()).toBe(true)
    await heading(page, 'Entry 1').waitFor()
    await page.getByRole('link', { name: 'Next' }).waitFor()
    // The key that matches opens the next conflict when this one is decided.
    await page.keyboard.press('ArrowRight')
    await heading(page, 'Entry 2').waitFor()
    expect(await outbox(page).count()).toBe(0)
  })

  test('keeps a decision that could not be sent because the session has ended', async () => {
    await insertConflicts(2)
    const { page, context, expectProblem } = await openReview('100')
    expectProblem(/401|socket\.io/)
    await heading(page, 'Entry 1').waitFor()
    const cookies = await context.cookies()
    await page.getByRole('button', { name: 'Match' }).click()
    // The session ends after the click, because a refused read would open the dialog over the button.
    await context.clearCookies()
    await outbox(page).getByRole('button', { name: 'Undo' }).waitFor()
    await page.clock.fastForward(HOLD_MS)
    const dialog = page.getByRole('dialog', { name: 'Sign in' })
    await dialog.waitFor()
    await page.locator('.outbox').getByText('Send again').waitFor()
    await context.addCookies(cookies)
    await dialog.getByRole('button', { name: 'Close' }).click()
    await outbox(page).getByRole('button', { name: 'Send again' }).click()
    await expect.poll(() => stored('100')).toEqual(matched(0))
    await outbox(page).waitFor({ state: 'detached' })
  })

  test('a held decision is dropped when another admin decides', async () => {
    await insertConflicts(2)
    const { page, expectProblem } = await openReview('100')
    expectProblem(/ERR_FAILED/)
    // A slow page would send its decision first.
    await page.route('**/decision', (route) => route.abort())
    await page.getByRole('button', { name: 'Skip' }).click()
    await outbox(page).waitFor()
    await dora.post('/conflicts/igdb/100/decision', { body: { gameId: games[1]?.toHexString() } })
    await page.getByText('Already decided by dora: Entry 1. Your decision was not sent').waitFor()
    await outbox(page).waitFor({ state: 'detached' })
    expect(await stored('100')).toEqual(matched(1))
  })

  test('adds a game that was found by its name, and reopens a skipped conflict', async () => {
    await insertConflicts(1)
    const { page } = await openReview('100')
    await page.getByRole('searchbox', { name: 'Find another game' }).fill('cinder')
    await page.getByRole('button', { name: 'Add Cinder Hall' }).click()
    await expect.poll(() => chosen(page).innerText()).toContain('found by hand')
    expect(await chosen(page).innerText()).toContain('Cinder Hall')

    await service.db.conflicts.updateOne({ externalId: '100' }, { $set: { status: 'absent', decision: 'skip' } })
    await page.reload()
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Reopen' }).waitFor({ state: 'detached' })
    // The candidates are matched again, and no game is similar to this entry.
    await page.getByText('No game is similar to this entry').waitFor()
    expect(await page.getByRole('button', { name: 'Skip' }).isEnabled()).toBe(true)
    expect(await stored('100')).toEqual(WAITING)
  })

  test('shows a refused decision with the sentence of the service, and offers no second sending of a final refusal', async () => {
    await insertConflicts(2)
    const { page, expectProblem } = await openReview('100')
    expectProblem(/409/)
    await page.route('**/decision', (route) => route.fulfill({ status: 409, json: { message: 'Refused' } }))
    await page.getByRole('button', { name: 'Match' }).click()
    await outbox(page).getByRole('button', { name: 'Undo' }).waitFor()
    await page.clock.fastForward(HOLD_MS)
    const advice = 'Refused. The data has changed meanwhile. Check its current state.'
    await outbox(page).getByRole('alert').getByText(advice).waitFor()
    await expectAccessible(page, 'outbox')
    expect(await outbox(page).getByRole('button', { name: 'Send again' }).count()).toBe(0)
    await outbox(page).getByRole('button', { name: 'Dismiss' }).click()
    await outbox(page).waitFor({ state: 'detached' })
    expect(await stored('100')).toEqual(WAITING)
  })

  test('compares the entries of HLTB with a game of the catalogue', async () => {
    const [game] = games
    await insertConflict(service.db, {
      source: 'hltb',
      externalId: game?.toHexString() ?? '',
      externalName: 'Amber Road',
      entries: [
        {
          id: '55',
          name: 'Amber Road',
          score: 97,
          releaseYear: 1998,
          platforms: ['Dreamcast'],
          cover: null,
          url: 'https://example.com/55',
          details: ['Main story 3 h'],
        },
      ],
    })
    const address = `#/conflicts/hltb/${game?.toHexString()}`
    const { page } = await openConsole(service, { as: carol, address, hasClock: true })
    const option = page.getByRole('listbox', { name: 'Entries' }).getByRole('option')
    expect(await option.innerText()).toContain('Main story 3 h')
    expect(await page.getByRole('searchbox', { name: 'Find another game' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Match' }).click()
    await outbox(page).getByRole('button', { name: 'Undo' }).waitFor()
    await page.clock.fastForward(HOLD_MS)
    await expect.poll(async () => (await service.db.conflicts.findOne({ source: 'hltb' }))?.winnerEntryId).toBe('55')
    await page.getByText('No other conflict of this list is waiting').waitFor()
    await expectAccessible(page)
  })
})
