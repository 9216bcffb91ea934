import { ObjectId } from 'mongodb'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { ContentRequestDocument } from '../../lib/infrastructure/db/collections/content-requests.ts'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { NARROW } from '../support/browser/page-parts.ts'
import { startConsole } from '../support/browser/start-console.ts'
import { takeScreenshots } from '../support/browser/take-screenshots.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { insertFoundGame, insertGame, insertPlatform, insertRequest } from '../support/rows/rows.ts'
import { startImageHost } from '../support/stand-ins/image-host.ts'

const openConsole = useConsole()

const host = await startImageHost()
const service = await startConsole({ env: { IMAGE_FETCH_ALLOW: host.place } })
const carol = await service.caller({ userName: 'carol', isAdmin: true })
const dora = await service.caller({ userName: 'dora', isAdmin: true })
const author = await service.caller({ userName: 'alice' })
const platformId = await insertPlatform(service.db, { name: 'Dreamcast' })
beforeEach(async () => {
  await service.db.contentRequests.deleteMany({})
})
afterAll(async () => {
  await service.close()
  await host.close()
})

const insert = (facts: Partial<ContentRequestDocument>) =>
  insertRequest(service.db, { userId: new ObjectId(author.id), ...facts })
const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000)
const read = ({ _id }: ContentRequestDocument) => service.db.contentRequests.findOne({ _id })
const openRequest = ({ _id }: ContentRequestDocument, as = carol) =>
  openConsole(service, { as, address: `#/requests/${_id.toHexString()}`, hasClock: true })
/** Waits for a place while the page's clock runs fast. */
const waitFast = async (page: Page, place: Locator) => {
  while (!(await place.isVisible())) await page.clock.runFor(1_000)
}
/** Releases the images that the service requests during the work. */
async function whileReleasing(work: () => Promise<unknown>): Promise<void> {
  const release = setInterval(() => host.release(), 100)
  try {
    await work()
  } finally {
    clearInterval(release)
  }
}
const table = (page: Page) => page.getByRole('table', { name: 'Changes' })
const row = (page: Page, field: string) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('checkbox', { name: `Apply ${field}`, exact: true }) })
const approveButton = (page: Page) => page.getByRole('button', { name: /^Approve \d+ of \d+$/ })
const badge = (page: Page, name: string) => page.locator('.page-head').getByText(name, { exact: true })

async function expectInSight(page: Page, place: Locator): Promise<void> {
  const { y = -1, height = 0 } = (await place.boundingBox()) ?? {}
  expect(y).toBeGreaterThanOrEqual(0)
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
}

function countDecisions(page: Page): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/decision')) count += 1
  })
  return () => count
}

test('the list of requests has tabs by status, filters by kind, and the oldest first', async () => {
  await insert({ payload: { name: 'Second' }, createdAt: at(5) })
  await insert({ payload: { name: 'First' }, createdAt: at(50) })
  await insert({ kind: 'character', payload: { name: 'Third' }, createdAt: at(1) })
  await insert({ payload: { name: 'Refused later' }, status: 'rejected', reason: 'No', createdAt: at(80) })
  await insert({ payload: { name: 'Refused' }, status: 'rejected', reason: 'No', createdAt: at(90) })
  const { page } = await openConsole(service, { as: carol, address: '#/requests' })
  const links = page.getByRole('table', { name: 'Requests' }).getByRole('link', { name: /:/ })
  await links.first().waitFor()
  expect(await links.allInnerTexts()).toEqual(['New game: First', 'New game: Second', 'New character: Third'])
  await page.locator('#waiting-requests').getByText('3').waitFor()

  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Characters' })
  await expect.poll(() => links.allInnerTexts()).toEqual(['New character: Third'])
  await page.getByRole('combobox', { name: 'Kind' }).selectOption({ label: 'Games and characters' })
  await page.getByRole('tab', { name: 'Rejected' }).click()
  await expect.poll(() => links.allInnerTexts()).toEqual(['New game: Refused', 'New game: Refused later'])
  await page.getByRole('tab', { name: 'Withdrawn' }).click()
  await page.getByText('No requests.').waitFor()
  await page.getByRole('tab', { name: 'Pending' }).click()
  await links.nth(2).waitFor()
  await insert({ payload: { name: 'Late' } })
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await page.getByRole('link', { name: 'New game: Late' }).waitFor()
  await expectAccessible(page, 'requests')
})

test('a request is decided field by field: the table shows present and proposed values, and the effect of approving', async () => {
  const related = await insertGame(service.db, { name: 'Brass Moon', slug: 'brass-moon', first_release: 946_684_800 })
  const targetId = await insertGame(service.db, {
    name: 'Amber Road',
    summary: 'A long road that is paved with amber, and nobody knows who laid it.',
    genres: ['Puzzle'],
    cover: `${service.baseUrl}/files/games/gone`,
    platformIds: [platformId],
  })
  const request = await insert({
    action: 'update',
    targetId,
    payload: {
      genres: ['Puzzle'],
      summary: 'A long road that is paved with honey, and nobody knows who laid it.',
      platformIds: [platformId.toHexString()],
      parentGameId: related.toHexString(),
      cover: host.link('png/cover'),
      screenshots: [host.link('png/1'), host.link('garbage/2')],
    },
    note: 'I was there.',
    sources: ['https://example.com/road'],
  })
  const { page, expectProblem } = await openRequest(request)
  expectProblem(/404/)
  await page.getByRole('heading', { name: 'Correction of Amber Road' }).waitFor()
  for (const words of ['alice', 'I was there.', 'https://example.com/road'])
    await page.getByRole('region', { name: 'About the request' }).getByText(words).waitFor()

  await row(page, 'Parent game').getByRole('link', { name: 'Brass Moon (2000)' }).waitFor()
  await row(page, 'Summary').waitFor()
  expect(await row(page, 'Platforms').count()).toBe(0)
  await page.getByRole('button', { name: '2 unchanged fields' }).click()
  await row(page, 'Platforms').getByText('Dreamcast').first().waitFor()
  expect(await row(page, 'Summary').locator('del').innerText()).toBe('amber')
  expect(await row(page, 'Summary').locator('ins').innerText()).toBe('honey')
  expect(await row(page, 'Summary').innerText()).toContain('replaces')
  expect(await row(page, 'Cover').innerText()).toContain('copies the image, replaces')
  expect(await row(page, 'Screenshots').innerText()).toContain('copies the images, adds to')
  const preview = row(page, 'Cover').getByRole('img', { name: 'Preview of proposed cover' })
  expect(await preview.getAttribute('loading')).toBe('lazy')
  expect(await preview.getAttribute('referrerpolicy')).toBe('no-referrer')
  await row(page, 'Screenshots')
    .getByText(`No image could be loaded from ${host.link('garbage/2')}`)
    .waitFor()
  expect(host.requests.some(({ headers }) => headers.referer !== undefined)).toBe(false)

  await page.getByRole('button', { name: 'Enlarge proposed cover' }).click()
  const enlarged = page.getByRole('dialog', { name: 'Proposed Cover' })
  await enlarged.getByText(/^\d+ × \d+ px$/).waitFor()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'None' }).click()
  expect(await page.getByRole('button', { name: 'Approve 0 of 6' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Only differing' }).click()
  await page.getByRole('button', { name: 'Approve 4 of 6' }).waitFor()
  await page.getByRole('button', { name: 'All' }).click()
  await page.getByRole('checkbox', { name: 'Apply Genres' }).uncheck()
  await page.getByRole('checkbox', { name: 'Apply Parent game' }).uncheck()
  await page.getByRole('checkbox', { name: 'Stop parsing for this game' }).check()
  await expectAccessible(page, 'request')
  await page.getByRole('button', { name: 'Approve 4 of 6' }).click()

  await badge(page, 'Approved').waitFor()
  const outcome = page.getByRole('status').filter({ hasText: 'These images could not be copied' })
  await outcome.getByText(host.link('garbage/2')).waitFor()
  const game = await service.db.games.findOne({ _id: targetId })
  expect(game?.summary).toContain('honey')
  expect(game?.isStopParsing).toBe(true)
  expect(game?.relatedGames?.parent_game).toBeUndefined()
  await page.getByRole('link', { name: 'Requests', exact: true }).first().click()
  await page.goBack()
  await outcome.getByRole('button', { name: 'Dismiss' }).click()
  await outcome.waitFor({ state: 'detached' })
})

const LONG_TEXT = 'A road that is paved with amber. '.repeat(60)

test('a request has its decision always in sight, and the decision covers nothing that has the focus', async () => {
  const request = await insert({
    payload: { name: 'Amber', summary: LONG_TEXT, storyline: LONG_TEXT },
    sources: Array.from({ length: 12 }, (_, index) => `https://example.com/${index}`),
  })
  const { page } = await openRequest(request)
  await approveButton(page).waitFor()
  for (const viewport of [NARROW, { width: 1440, height: 900 }]) {
    await page.setViewportSize(viewport)
    const bar = page.getByRole('region', { name: 'Decision' })
    const controls = [
      approveButton(page),
      bar.getByRole('checkbox', { name: 'Stop parsing for this game' }),
      bar.getByRole('textbox', { name: 'Reason' }),
      bar.getByRole('button', { name: 'Reject' }),
    ]
    for (const end of ['0', 'document.body.scrollHeight']) {
      await page.evaluate(`scrollTo(0, ${end})`)
      for (const control of controls) await expectInSight(page, control)
    }
    // The page is at its start, because the bar stands below the last field at the end.
    await page.evaluate('scrollTo(0, 0)')
    for (const link of await page.getByRole('region', { name: 'About the request' }).getByRole('link').all()) {
      await link.focus()
      const { y = 0, height = 0 } = (await link.boundingBox()) ?? {}
      expect(y + height).toBeLessThanOrEqual((await bar.boundingBox())?.y ?? 0)
    }
  }
})

test('a request leads to the next one of the same kind, the oldest after it first', async () => {
  await insert({ payload: { name: 'Passed over' }, createdAt: at(9) })
  const request = await insert({ payload: { name: 'First' }, createdAt: at(8) })
  await insert({ kind: 'character', payload: { name: 'Somebody' }, createdAt: at(7) })
  await insert({ payload: { name: 'Second' }, createdAt: at(6) })
  const { page } = await openConsole(service, { as: carol, address: '#/requests?kind=game' })
  await page.getByRole('link', { name: 'New game: First' }).click()
  await page.getByRole('heading', { name: 'New game: First' }).waitFor()
  expect(page.url()).toContain(request._id.toHexString())
  expect(await page.getByRole('link', { name: 'Next request' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not out yet')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: 'Next request' }).waitFor()
  expect(await read(request)).toMatchObject({ status: 'rejected', reason: 'Not out yet' })
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Next request')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'New game: Second' }).waitFor()
  await page.getByRole('link', { name: 'Requests', exact: true }).last().click()
  await expect.poll(() => page.url()).toContain('#/requests?kind=game')
})

test('the typed reason stays in sight when another admin decides', async () => {
  const request = await insert({ payload: { name: 'Ember Gate II' } })
  const { page } = await openRequest(request)
  await page.getByRole('textbox', { name: 'Reason' }).fill('Not out yet')
  const body = { decision: 'reject', reason: 'A repetition' }
  expect((await dora.post(`/requests/${request._id.toHexString()}/decision`, { body })).status).toBe(200)
  await page.evaluate("dispatchEvent(new Event('focus'))")
  await page.getByText('your reason was not sent: Not out yet').waitFor()
  expect(await page.getByRole('textbox', { name: 'Reason' }).count()).toBe(0)
})

test('a request shows its last failure, and the missing images of an approved one', async () => {
  const lastFailure = { at: new Date(), message: 'The database did not answer in time', requestId: 'r-4711' }
  const failed = await insert({ payload: { name: 'Amber Road IV' }, lastFailure })
  const { page } = await openRequest(failed)
  await page
    .getByRole('alert')
    .getByText('The database did not answer in time (in the log: requestId r-4711)')
    .waitFor()

  const approved = await insert({
    payload: { name: 'Amber Road V', cover: host.link('png/a'), screenshots: [host.link('png/b')] },
    status: 'approved',
    appliedFields: ['name', 'screenshots'],
    failedFields: ['cover', 'screenshots'],
  })
  await page.goto(`${service.baseUrl}/console#/requests/${approved._id.toHexString()}`)
  const about = page.getByRole('region', { name: 'About the request' })
  await about.getByText('Applied: Name and Screenshots').waitFor()
  await about.getByText('Images could not be copied: Cover').waitFor()
  await about.getByText('Some images could not be copied: Screenshots').waitFor()
})

test('a possible duplicate is compared, and is the same or created anyway', async () => {
  const facts = { slug: 'cinder-hall', first_release: 946_684_800 }
  const duplicate = await insertFoundGame(service.db, 'Cinder Hall', facts)
  const request = await insert({ payload: { name: 'Cinder Hall', first_release: 946_684_800 } })
  const { page, expectProblem } = await openRequest(request)
  expectProblem(/409/)
  await approveButton(page).click()
  const dialog = page.getByRole('dialog', { name: 'Possible duplicates' })
  await dialog.getByText(/2000.*\d+ points/).waitFor()
  await expectAccessible(page, 'duplicates')
  await dialog.getByRole('button', { name: 'It is this one' }).click()
  await dialog.waitFor({ state: 'detached' })
  const reason = page.getByRole('textbox', { name: 'Reason' })
  await expect.poll(() => reason.inputValue()).toContain('Cinder Hall')
  await reason.fill('')

  await approveButton(page).click()
  await dialog.getByRole('button', { name: 'Create anyway' }).click()
  await badge(page, 'Approved').waitFor()
  const { resultId } = (await read(request)) ?? {}
  expect(resultId?.equals(duplicate)).toBe(false)
})

test('a request that another admin is deciding shows who, since when, and the result', async () => {
  const request = await insert({ payload: { name: 'Ember Gate', cover: host.link('held/gate') } })
  const [{ page: one }, { page: two }] = [await openRequest(request), await openRequest(request, dora)]
  const viewport = NARROW
  await one.setViewportSize(viewport)
  await approveButton(one).click()
  const running = one.getByText(/Approving for \d+ s: copying 1 image and writing 2 fields/)
  await running.waitFor()
  await expectInSight(one, running)
  expect(await one.evaluate("document.querySelector('.flag .spinner').getAnimations().length")).toBe(0)
  await takeScreenshots(one, 'approving')
  await two.reload()
  await two.getByText(/^carol is deciding since \d\d:\d\d$/).waitFor()
  expect(await approveButton(two).isDisabled()).toBe(true)
  expect(await two.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true)
  await expect.poll(() => host.held.size).toBeGreaterThan(0)
  await whileReleasing(() => Promise.all([one, two].map((page) => waitFast(page, badge(page, 'Approved')))))
})

test('a request whose approval lost its connection shows the end, and is never sent twice', async () => {
  const request = await insert({ payload: { name: 'Frost Inn', cover: host.link('held/inn') } })
  const { page, expectProblem } = await openRequest(request)
  expectProblem(/ERR_CONNECTION_RESET|ERR_FAILED/)
  const decisions = countDecisions(page)
  await page.route('**/decision', async (route) => {
    const body = route.request().postDataJSON()
    void carol.post(`/requests/${request._id.toHexString()}/decision`, { body })
    await route.abort('connectionreset')
  })
  await approveButton(page).click()
  await page.getByText('The connection was lost. The approval continues').waitFor()
  expect(await approveButton(page).isDisabled()).toBe(true)
  await expect.poll(async () => (await read(request))?.claimedAt ?? null).not.toBeNull()
  await whileReleasing(() => waitFast(page, badge(page, 'Approved')))
  await page.getByText('The connection was lost, so its warnings are unknown here.').waitFor()
  expect(decisions()).toBe(1)
  expect(await service.db.games.countDocuments({ name: 'Frost Inn' })).toBe(1)
})

test('a request whose approval never arrived can be approved again', async () => {
  const request = await insert({ payload: { name: 'Gale Post' } })
  const { page, expectProblem } = await openRequest(request)
  expectProblem(/ERR_CONNECTION_RESET|ERR_FAILED/)
  const decisions = countDecisions(page)
  await page.route('**/decision', (route) => route.abort('connectionreset'), { times: 1 })
  await approveButton(page).click()
  await waitFast(page, page.getByText('The approval has ended, and nothing was changed.'))
  expect(decisions()).toBe(1)
  await approveButton(page).click()
  await badge(page, 'Approved').waitFor()
})

test('a refused request shows its sentence and the next step', async () => {
  const request = await insert({ payload: { name: 'Harbour Bell' } })
  const { page, expectProblem } = await openRequest(request)
  expectProblem(/429/)
  const message = 'Too many requests, try again later'
  await page.route('**/decision', (route) =>
    route.fulfill({ status: 429, headers: { 'retry-after': '9' }, json: { statusCode: 429, message } }),
  )
  await approveButton(page).click()
  const alert = page.getByRole('alert').filter({ hasText: message })
  await alert.getByText('Wait 9 s, then try again.').waitFor()
  await alert.getByRole('button', { name: 'Dismiss' }).click()
  await alert.waitFor({ state: 'detached' })
  expect(await approveButton(page).isEnabled()).toBe(true)
})
