import { type Filter, ObjectId } from 'mongodb'
import type { Locator, Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import type { CommentDocument } from '#lib/infrastructure/db/collections/comments'
import { expectAccessible } from '../support/browser/expect-accessible.ts'
import { holdRoute } from '../support/browser/hold-route.ts'
import {
  commentBy,
  composer,
  listDrafts,
  notices,
  postButton,
  untilLive,
  writeComment,
} from '../support/browser/page-parts.ts'
import { openSignIn, signIn, signOut } from '../support/browser/sign-in.ts'
import { startConsole, useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import type { Caller } from '../support/clients/caller.ts'
import { signUpDevice } from '../support/clients/device.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()

const service = await useConsoleService()
const author = await service.caller({ userName: 'author' })
const reader = await service.caller({ userName: 'reader' })
const admin = await service.caller({ userName: 'keeper', isAdmin: true })

const newGame = async () => (await insertGame(service.db, { name: 'Lantern Keep' })).toHexString()

async function comment(gameId: string, body: string, more: object = {}): Promise<string> {
  const { status, body: created } = await author.post('/comments', { body: { gameId, body, ...more } })
  expect(status).toBe(201)
  return created._id
}

async function openGame(as: Caller | undefined, gameId: string, { hasClock = false } = {}) {
  const tab = await openConsole(service, { ...(as && { as }), address: `#/games/${gameId}`, hasClock })
  await tab.page.getByRole('heading', { name: 'Lantern Keep' }).waitFor()
  await untilLive(tab.page)
  return tab
}

/** Reads which edge of its block each line of the first such comment is next to. */
const readSides = (page: Page, container: string) =>
  page.evaluate(`(() => {
  const texts = document.createTreeWalker(document.querySelector('${container} .comment-body'), NodeFilter.SHOW_TEXT)
  const sides = []
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    if (node.data.trim() === '') continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const line = [...range.getClientRects()].find(({ width }) => width > 1)
    const block = node.parentElement.getBoundingClientRect()
    sides.push([node.data.trim(), line.left - block.left < block.right - line.right ? 'left' : 'right'])
  }
  return sides
})()`)

test('a body that another program stored draws the elements of comments alone', async () => {
  const gameId = await newGame()
  const body = '<style>p { display: none }</style><p>A <u>plain</u> word</p><iframe>inside</iframe>'
  await insertComment(service.db, { gameId: new ObjectId(gameId), userId: new ObjectId(author.id), body })
  const { page } = await openGame(undefined, gameId)
  const drawn = commentBy(page, 'author').locator('.comment-body')

  await drawn.getByText('A plain word').waitFor()
  expect(await drawn.locator('style, u, iframe').count()).toBe(0)
})

test('a comment of a new account waits for a moderator, and only its author sees it until then', async () => {
  const holding = await startConsole({ env: { HOLD_FIRST_COMMENTS: '1' } })
  onTestFinished(() => holding.close())
  const gameId = (await insertGame(holding.db, { name: 'Lantern Keep' })).toHexString()
  const newcomer = await holding.caller({ userName: 'newcomer', createdAt: new Date() })
  const keeper = await holding.caller({ isAdmin: true })
  const { body: top } = await keeper.post('/comments', { body: { gameId, body: 'Who is new here?' } })
  const open = async (as: Caller | undefined) => {
    const tab = await openConsole(holding, { ...(as && { as }), address: `#/games/${gameId}` })
    await untilLive(tab.page)
    return tab
  }
  const decide = async (filter: Filter<CommentDocument>, action: string) => {
    const held = await holding.db.comments.findOne({ ...filter, heldAt: { $exists: true } })
    await keeper.post(`/reports/${held?._id}/decision`, { body: { action } })
  }
  const [{ page, expectProblem }, { page: other }] = [await open(newcomer), await open(undefined)]
  const own = commentBy(page, 'newcomer')
  expectProblem(/400 \(Bad Request\)/)
  await writeComment(page, '![](https://a.example/1.png)')
  await page.getByText('A comment of a new account has no images').waitFor()
  await writeComment(page, 'I am new here.')
  await own.getByText('waits for a moderator').waitFor()
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.keyboard.type('I am.')
  await page.keyboard.press('Control+Enter')
  await own.getByText('I am.').waitFor()
  await expectAccessible(page)

  await page.reload()
  await own.getByText('I am new here.').waitFor()
  await page.getByRole('button', { name: '0 replies' }).click()
  await own.getByText('I am.').waitFor()
  await own.filter({ hasText: 'I am.' }).getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Edit the comment' }).fill('It is me.')
  await page.getByRole('button', { name: 'Save' }).click()
  await own.getByText('It is me.').waitFor()
  await own.filter({ hasText: 'It is me.' }).getByRole('button', { name: 'Delete' }).click()
  await own.getByText('It is me.').waitFor({ state: 'detached' })
  for (const action of ['hide', 'delete']) {
    await writeComment(page, `Please ${action} this.`)
    await own.getByText(`Please ${action} this.`).waitFor()
    await decide({ body: { $regex: action } }, action)
    await own.getByText(`Please ${action} this.`).waitFor({ state: 'detached' })
  }
  expect(await other.getByRole('article').count()).toBe(1)

  await decide({ parentId: null }, 'keep')
  await own.getByText('waits for a moderator').waitFor({ state: 'detached' })
  await own.getByText('I am new here.').waitFor()
  await other.getByRole('button', { name: '1 new comments' }).click()
  await commentBy(other, 'newcomer').getByText('I am new here.').waitFor()
  expect((await keeper.get(`/comments/${top._id}`)).body.repliesCount).toBe(0)
})

test('a reader writes, edits, answers and deletes; a second browser sees it in place', async () => {
  const gameId = await newGame()
  const [{ page: own }, { page: other }] = [await openGame(reader, gameId), await openGame(author, gameId)]
  const [onOwnPage, onOtherPage] = [commentBy(own, 'reader'), commentBy(other, 'reader')]

  await writeComment(own, 'The bridge does not hold.')
  await onOwnPage.getByText('The bridge does not hold.').waitFor()
  expect(await composer(own).inputValue()).toBe('')
  expect(await onOwnPage.getByRole('button', { name: 'Like' }).isDisabled()).toBe(true)

  await other.getByRole('button', { name: '1 new comments' }).click()
  await onOtherPage.getByText('The bridge does not hold.').waitFor()
  await onOtherPage.getByRole('button', { name: 'Like' }).click()
  await onOwnPage.getByRole('button', { name: 'Like 1' }).waitFor()
  const place = await onOwnPage.boundingBox()
  await comment(gameId, 'Which bridge?')
  await own.getByRole('button', { name: '1 new comments' }).waitFor()
  expect(await onOwnPage.boundingBox()).toEqual(place)
  expect(await onOtherPage.getByRole('button', { name: 'Like' }).getAttribute('aria-pressed')).toBe('true')

  await onOwnPage.getByRole('button', { name: 'Edit' }).click()
  await own.getByRole('textbox', { name: 'Edit the comment' }).fill('The bridge holds.')
  await own.getByRole('button', { name: 'Save' }).click()
  await onOtherPage.getByText('The bridge holds.').waitFor()

  await onOtherPage.getByRole('button', { name: 'Reply' }).click()
  await other.keyboard.type('Since when?')
  await other.keyboard.press('Control+Enter')
  await commentBy(other, 'author').getByText('Since when?').waitFor()
  await onOwnPage.getByRole('button', { name: '1 reply', exact: true }).click()
  await commentBy(own, 'author').getByText('Since when?').waitFor()
  // Two keystrokes report; reason and note are optional.
  await onOtherPage.getByRole('button', { name: 'Report' }).focus()
  await other.keyboard.press('Enter')
  await other.getByRole('dialog', { name: 'Report the comment by reader' }).waitFor()
  await other.keyboard.press('Enter')
  await expect.poll(() => onOtherPage.getByRole('button', { name: 'Reported' }).isDisabled()).toBe(true)

  await onOwnPage.getByRole('button', { name: 'Delete' }).click()
  await other.getByRole('article', { name: 'Comment removed' }).waitFor()
  await commentBy(other, 'author').waitFor()
})

test('a report takes a reason and a note, and a refused one keeps them', async () => {
  const gameId = await newGame()
  const id = await comment(gameId, 'Buy lanterns!')
  const { page, expectProblem } = await openGame(reader, gameId)
  expectProblem(/503/)
  await commentBy(page, 'author').getByRole('button', { name: 'Report' }).click()
  const dialog = page.getByRole('dialog', { name: 'Report the comment by author' })
  await dialog.getByRole('radio', { name: 'Spam' }).check()
  await dialog.getByRole('textbox', { name: 'Note' }).fill(' He sells them everywhere ')
  await expectAccessible(page, 'report-dialog')
  await page.route('**/report', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 })
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByRole('button', { name: 'Send the report' }).click()
  await commentBy(page, 'author').getByRole('button', { name: 'Reported' }).waitFor()
  const stored = await service.db.reports.findOne({ commentId: new ObjectId(id) })
  expect(stored).toMatchObject({ reason: 'spam', note: 'He sells them everywhere' })
})

test('a spoiler is shown only on request, and the age of a comment grows also without a connection', async () => {
  const gameId = await newGame()
  await comment(gameId, 'It was the lighthouse.', { isSpoiler: true })
  const { page, context, expectProblem } = await openGame(undefined, gameId, { hasClock: true })
  const button = commentBy(page, 'author').getByRole('button', { name: 'Show spoiler' })

  expect(await button.getAttribute('aria-expanded')).toBe('false')
  expect(await page.content()).not.toContain('It was the lighthouse.')
  await button.click()
  await page.getByText('It was the lighthouse.').waitFor()
  expect(await button.getAttribute('aria-expanded')).toBe('true')

  await commentBy(page, 'author').getByText('just now').waitFor()
  expectProblem(/ERR_INTERNET_DISCONNECTED/)
  await context.setOffline(true)
  await page.getByText(/^Connection lost/).waitFor()
  await page.clock.fastForward(5 * 60_000)
  await commentBy(page, 'author').getByText('5 minutes ago').waitFor()
})

test('a reader keeps a draft for each game over a reload, and leaves none to the next user of the browser', async () => {
  const [one, two] = [await newGame(), await newGame()]
  const { page } = await openGame(reader, one)
  const field = composer(page)
  await field.fill('Half a thought')
  await page.goto(`${service.baseUrl}/console#/games/${two}`)
  await expect.poll(() => field.inputValue()).toBe('')
  await page.goBack()
  await expect.poll(() => field.inputValue()).toBe('Half a thought')
  await page.reload()
  await expect.poll(() => field.inputValue()).toBe('Half a thought')

  await signOut(page, 'reader')
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await page.reload()
  await page.getByRole('heading', { name: 'Lantern Keep' }).waitFor()
  expect(await field.inputValue()).toBe('')
  expect(await listDrafts(page)).toEqual([])
})

test('a reader keeps the focus after posting, editing and answering, and after what was clicked has gone', async () => {
  const gameId = await newGame()
  const { page } = await openGame(reader, gameId)
  const focused = () => page.evaluate('document.activeElement.tagName')
  async function write(label: string, text: string, action: string) {
    await page.getByRole('textbox', { name: label }).fill(text)
    await page.getByRole('button', { name: action, exact: true }).click()
    await commentBy(page, 'reader').getByText(text).waitFor()
  }
  await write('Write a comment', 'First', 'Post')
  expect(await focused()).toBe('TEXTAREA')
  await commentBy(page, 'reader').getByRole('button', { name: 'Edit' }).click()
  await write('Edit the comment', 'Second', 'Save')
  await expect.poll(focused).not.toBe('BODY')
  await commentBy(page, 'reader').getByRole('button', { name: 'Delete' }).click()
  await commentBy(page, 'reader').waitFor({ state: 'detached' })
  await expect.poll(focused).not.toBe('BODY')
  await write('Write a comment', 'Third', 'Post')
  await commentBy(page, 'reader').getByRole('button', { name: 'Reply' }).click()
  await write('Write a reply', 'Fourth', 'Post reply')
  await expect.poll(focused).not.toBe('BODY')
})

test('a draft stays with its writer when another user signs in', async () => {
  const gameId = await newGame()
  const { page, context, expectProblem } = await openGame(reader, gameId)
  expectProblem(/401/)
  const field = composer(page)
  await field.fill('Half a thought')
  await context.clearCookies()
  await postButton(page).click()
  await page.getByText('Your session has ended').waitFor()
  const { email, password } = await signUpDevice(service)
  await signIn(page, { email, password })

  await expect.poll(() => field.inputValue()).toBe('')
  const kept = await page.evaluate('Object.entries(localStorage).filter(([key]) => key.includes("draft"))')
  const key = new RegExp(`^gamehall-draft-${reader.id}-\\w+-${gameId}$`)
  expect(kept).toEqual([[expect.stringMatching(key), expect.stringContaining('Half a thought')]])
})

test('a reader formats by buttons', async () => {
  const gameId = await newGame()
  const { page } = await openGame(reader, gameId)
  const field = composer(page)
  for (const [name, before, after] of [
    ['Italic', '*', 'loud*'],
    ['Link', '[loud](https://', ')'],
    ['Quote', '> ', 'loud'],
    ['List', '- ', 'loud'],
    ['Code', '`', 'loud`'],
    ['Bold', '**', 'loud**'],
  ] as const) {
    await field.fill('loud')
    await field.selectText()
    await page.getByRole('button', { name, exact: true }).click()
    await expect.poll(() => field.inputValue()).toBe(before + after)
    // The words are selected again, or the place of the address.
    await expect.poll(() => page.evaluate('document.activeElement.selectionStart')).toBe(before.length)
  }
  await postButton(page).click()
  await commentBy(page, 'reader').locator('strong', { hasText: 'loud' }).last().waitFor()
})

test('a reader types text, not markup, and the preview shows what others will see', async () => {
  const { page } = await openGame(reader, await newGame())
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  const field = composer(page)
  await field.fill('a <b and c> d **bold**\n- one\n- `two <i>`')
  await page.getByRole('tab', { name: 'Preview' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Preview' })
  await panel.getByRole('listitem').nth(1).locator('code', { hasText: 'two <i>' }).waitFor()
  await panel.getByText('a <b and c> d').waitFor()
  await expectAccessible(page, 'preview')
  await page.getByRole('tab', { name: 'Write' }).click()
  await postButton(page).click()
  const article = commentBy(page, 'reader')
  await article.getByText('a <b and c> d').waitFor()
  expect(await article.locator('code').innerText()).toBe('two <i>')
  expect(await article.locator('.comment-body').getAttribute('dir')).toBe('auto')

  const body = () => service.db.comments.findOne({ userId: new ObjectId(reader.id) }, { sort: { _id: -1 } })
  const before = await body()
  await article.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('textbox', { name: 'Edit the comment' })
  expect(await edit.inputValue()).toBe('a <b and c> d **bold**\n\n- one\n- `two <i>`')
  await page.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  // The unchanged text is not sent.
  expect(await body()).toEqual(before)
})

test('a reader sees each line of a comment from the side where its script begins', async () => {
  const gameId = await newGame()
  const { page } = await openGame(reader, gameId)
  const typed = 'English first\nעברית בשורה\n\nעברית בפסקה\n\n- עברית ברשימה\n- and English'
  await composer(page).fill(typed)
  await page.getByRole('tab', { name: 'Preview' }).click()
  const expected = [
    ['English first', 'left'],
    ['עברית בשורה', 'right'],
    ['עברית בפסקה', 'right'],
    ['עברית ברשימה', 'right'],
    ['and English', 'left'],
  ]
  const preview = page.getByRole('tabpanel', { name: 'Preview' }).locator('.comment-body')
  await preview.getByText('and English').waitFor()
  expect(await readSides(page, '[role=tabpanel]')).toEqual(expected)
  await postButton(page).click()
  const shown = commentBy(page, 'reader').locator('.comment-body')
  await shown.getByText('and English').waitFor()
  expect(await readSides(page, 'article')).toEqual(expected)
  const directions = await page.evaluate(
    "[...document.querySelectorAll('article :is(p, ul)')].map((block) => getComputedStyle(block).direction)",
  )
  expect(directions).toEqual(['ltr', 'rtl', 'rtl'])
})

test('a refused form waits as long as the service requests, and counts the seconds', async () => {
  const strict = await startConsole({ env: { COMMENTS_PER_MINUTE: '1' } })
  onTestFinished(() => strict.close())
  const hasty = await strict.caller({ userName: 'hasty' })
  const gameId = (await insertGame(strict.db, { name: 'Lantern Keep' })).toHexString()
  const { page, context, expectProblem } = await openConsole(strict, { as: hasty, address: `#/games/${gameId}` })
  expectProblem(/429/)
  const field = composer(page)
  for (const text of ['one', 'two']) {
    await field.fill(text)
    await postButton(page).click()
    if (text === 'one') await commentBy(page, 'hasty').waitFor()
  }
  await page.getByText('Too many requests, try again later').waitFor()
  const seconds = async () => Number(/\d+/.exec(await page.getByText(/Try again in \d+ s/).innerText())?.[0])
  const first = await seconds()
  await expect.poll(seconds).toBeLessThan(first)
  expect(await postButton(page).isDisabled()).toBe(true)
  expect(await field.inputValue()).toBe('two')
  await context.close()
})

test('a reader writes and likes by keyboard alone', async () => {
  const gameId = await newGame()
  await comment(gameId, 'Nice lamps.')
  const { page } = await openGame(reader, gameId)
  const tabTo = async (target: Locator) => {
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab')
      if ((await target.and(page.locator(':focus')).count()) === 1) return
    }
    throw new Error('The Tab key does not reach it')
  }
  await tabTo(composer(page))
  await page.keyboard.type('Agreed.')
  await tabTo(postButton(page))
  await page.keyboard.press('Enter')
  await commentBy(page, 'reader').waitFor()
  await tabTo(commentBy(page, 'author').getByRole('button', { name: 'Like' }))
  await page.keyboard.press('Space')
  await commentBy(page, 'author').getByRole('button', { name: 'Like 1' }).waitFor()
})

test('a game that could not be read is named with the request id, and is read again', async () => {
  const gameId = await newGame()
  const { page, expectProblem } = await openConsole(service)
  expectProblem(/500/)
  await page.route(`**/games/${gameId}`, (route) =>
    route.fulfill({ status: 500, json: { message: 'Internal Server Error', requestId: 'req-7' } }),
  )
  await page.goto(`${service.baseUrl}/console#/games/${gameId}`)
  await page.getByRole('heading', { name: 'Internal Server Error (request req-7)' }).waitFor()
  await page.unroute(`**/games/${gameId}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Lantern Keep' }).waitFor()
})

test('the form keeps the text that is typed while a comment is sent', async () => {
  const { page } = await openGame(reader, await newGame())
  const field = composer(page)
  const { release, isHeld } = await holdRoute(page, '**/comments')
  await field.fill('One thought')
  await postButton(page).click()
  await isHeld()
  await field.fill('Another thought')
  release()
  await commentBy(page, 'reader').getByText('One thought').waitFor()
  expect(await field.inputValue()).toBe('Another thought')
})

test('a comment has a link in its time, and a button that copies it, or shows it where copying is forbidden', async () => {
  const gameId = await newGame()
  const id = await comment(gameId, 'Who lit it?')
  const { page, context } = await openGame(undefined, gameId)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const address = `#/games/${gameId}/comments/${id}`
  await commentBy(page, 'author').getByRole('button', { name: 'Copy link' }).click()
  await notices(page).getByText('Link copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${service.baseUrl}/console${address}`)
  // Browsers keep the clipboard from a page without https.
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
  await commentBy(page, 'author').getByRole('button', { name: 'Copy link' }).click()
  await notices(page).getByText(`comments/${id}`).waitFor()
  const time = commentBy(page, 'author').getByRole('link')
  expect(await time.getAttribute('href')).toBe(address)
  await page.keyboard.press('Tab')
  await time.focus()
  const words = await page.evaluate("getComputedStyle(document.activeElement.querySelector('time'), '::after').content")
  expect(words).toContain(String(new Date().getFullYear()))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Linked comment' }).waitFor()
})

test('a comment taller than the screen is folded with a button', async () => {
  const gameId = await newGame()
  await comment(gameId, `Begun${'<br>'.repeat(1_500)}ended`)
  await comment(gameId, 'Short')
  const { page } = await openGame(undefined, gameId)
  const fold = page.getByRole('button', { name: 'Show the whole comment' })
  const text = commentBy(page, 'author').filter({ hasText: 'Begun' })
  const height = async () => (await text.boundingBox())?.height ?? 0
  await fold.waitFor()
  expect(await fold.count()).toBe(1)
  const screen = page.viewportSize()?.height ?? 0
  expect(await height()).toBeLessThan(1.5 * screen)
  await fold.click()
  await expect.poll(height).toBeGreaterThan(10 * screen)
  await page.getByRole('button', { name: 'Show the whole comment', expanded: true }).click()
  await expect.poll(height).toBeLessThan(1.5 * screen)
})

test('an image of another host is loaded only when its reader requests it', async () => {
  const gameId = await newGame()
  await comment(gameId, '<p>Look: <img src="https://example.com/lamp.png?a=1&amp;b=2" alt="A lamp"></p>')
  await comment(gameId, '<a href="https://example.org/"><img src="https://example.com/oil.png" alt="Oil"></a>')
  const tab = await openConsole(service)
  const requested: string[] = []
  await tab.context.route('https://example.com/**', async (route) => {
    requested.push(route.request().url())
    await route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' })
  })
  await tab.page.evaluate(`location.hash = '#/games/${gameId}'`)
  const showIn = (text: Locator) => text.getByRole('button', { name: 'Show image from example.com' })
  const show = showIn(commentBy(tab.page, 'author').filter({ hasText: 'Look' }))
  await show.waitFor()
  expect(await tab.page.getByRole('img').count()).toBe(0)
  expect(requested).toEqual([])
  // A link around an image has no name without it.
  await expectAccessible(tab.page)
  await show.click()
  await tab.page.getByRole('img', { name: 'A lamp' }).waitFor({ state: 'attached' })
  await expect.poll(() => requested).toEqual(['https://example.com/lamp.png?a=1&b=2'])
  expect(await show.count()).toBe(0)
  await showIn(tab.page.locator('body')).click()
  await tab.page.getByRole('link', { name: 'Oil' }).waitFor({ state: 'attached' })
})

test('an admin hides and shows; readers see it at once', async () => {
  const gameId = await newGame()
  const parentId = await comment(gameId, 'Questionable')
  await comment(gameId, 'An answer', { parentId })
  const [{ page: staff, expectProblem }, { page: guest }] = [
    await openGame(admin, gameId),
    await openGame(undefined, gameId),
  ]
  await commentBy(guest, 'author').waitFor()

  await commentBy(staff, 'author').getByRole('button', { name: 'Hide' }).click()
  await guest.getByRole('article', { name: 'Comment removed' }).waitFor()
  expectProblem(/409/)
  const edited = { body: '<p>Questionable and worse</p>', updatedAt: new Date() }
  await service.db.comments.updateOne({ _id: new ObjectId(parentId) }, { $set: edited })
  await commentBy(staff, 'author').getByRole('button', { name: 'Show' }).click()
  await staff.getByText('This comment was edited after it was read').waitFor()
  await commentBy(staff, 'author').getByText('and worse').waitFor()
  await commentBy(staff, 'author').getByRole('button', { name: 'Show' }).click()
  await commentBy(guest, 'author').getByText('Questionable').waitFor()
})

test('a discussion with everything open has no violation of WCAG', async () => {
  const gameId = await newGame()
  const parentId = await comment(
    gameId,
    '<p>Long <strong>live</strong> the lamp.</p><blockquote>Said who?</blockquote>',
  )
  await comment(gameId, 'A reply', { parentId })
  await comment(gameId, 'A spoiler', { isSpoiler: true })
  const { page } = await openGame(admin, gameId)
  await page.getByRole('button', { name: '1 reply', exact: true }).click()
  await page.getByRole('button', { name: 'Show spoiler' }).click()
  await commentBy(page, 'author').first().getByRole('button', { name: 'Reply' }).click()
  await page.getByText('A reply', { exact: true }).waitFor()

  await expectAccessible(page, 'game-bare')
})

test('a reply outlives Escape, the keys of an input method and the end of its session', async () => {
  const gameId = await newGame()
  await comment(gameId, 'Who lit it?')
  const { userName, email, password } = await signUpDevice(service)
  const { page, context, expectProblem } = await openConsole(service, { address: `#/games/${gameId}` })
  expectProblem(/401|socket\.io/)
  await openSignIn(page)
  await signIn(page, { email, password })
  const reply = page.getByRole('button', { name: 'Reply' })
  const text = page.getByRole('textbox', { name: 'Write a reply' })
  await reply.click()
  await text.fill('The keeper')
  const isComposing = { isComposing: true, bubbles: true, cancelable: true }
  await text.dispatchEvent('keydown', { key: 'Escape', ...isComposing })
  await text.dispatchEvent('keydown', { key: 'Enter', ctrlKey: true, ...isComposing })
  await text.dispatchEvent('keydown', { key: 'Escape', keyCode: 229, bubbles: true, cancelable: true })
  expect(await text.inputValue()).toBe('The keeper')
  await page.keyboard.press('Escape')
  await text.waitFor({ state: 'detached' })
  await reply.click()
  expect(await text.inputValue()).toBe('The keeper')

  await context.clearCookies()
  await page.getByRole('button', { name: 'Post reply' }).click()
  await signIn(page, { email, password })
  expect(await text.inputValue()).toBe('The keeper')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await page
    .getByRole('article', { name: `Comment by ${userName}` })
    .getByText('The keeper')
    .waitFor()
  expect(await listDrafts(page)).toEqual([])
})
