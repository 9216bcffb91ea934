import { ObjectId } from 'mongodb'
import type { BrowserContext, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { commentBy, composer, listDrafts, postButton, untilLive, writeComment } from '../support/browser/page-parts.ts'
import { newAccount, openSignIn, PASSWORD, signIn } from '../support/browser/sign-in.ts'
import { useConsoleService } from '../support/browser/start-console.ts'
import { useConsole } from '../support/browser/use-console.ts'
import { insertGame } from '../support/rows/rows.ts'

const openConsole = useConsole()
const service = await useConsoleService()
const [writer, author, admin] = [
  await service.caller({ userName: 'writer' }),
  await service.caller({ userName: 'author' }),
  await service.caller({ userName: 'keeper', isAdmin: true }),
]

const newGame = async () => (await insertGame(service.db, { name: 'Lantern Keep' })).toHexString()
const replyField = (page: Page) => page.getByRole('textbox', { name: 'Write a reply' })
const editField = (page: Page) => page.getByRole('textbox', { name: 'Edit the comment' })
const countStored = (gameId: string) => service.db.comments.countDocuments({ gameId: new ObjectId(gameId) })

async function comment(as: typeof writer, gameId: string, body: string, parentId?: string): Promise<string> {
  const answer = await as.post('/comments', { body: { gameId, body, ...(parentId && { parentId }) } })
  expect(answer.status).toBe(201)
  return answer.body._id
}

async function openGame(gameId: string) {
  const tab = await openConsole(service, { as: writer, address: `#/games/${gameId}` })
  await untilLive(tab.page)
  await tab.page.getByRole('button', { name: 'writer' }).waitFor()
  return tab
}

async function openTab(context: BrowserContext, gameId: string): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${service.baseUrl}/console#/games/${gameId}`)
  await page.getByRole('button', { name: 'writer' }).waitFor()
  return page
}

const REFUSED = "throw new DOMException('The operation is insecure.', 'SecurityError')"
const FULL = "throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')"
const BLOCKED = `for (const name of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, name, { get() { ${REFUSED} } })
navigator.locks.request = async () => { ${REFUSED} }
navigator.locks.query = async () => { ${REFUSED} }`

test.each([
  ['is blocked', BLOCKED],
  ['takes no text', `Storage.prototype.setItem = () => { ${FULL} }`],
  [
    'cannot be used',
    `for (const use of ['getItem', 'setItem', 'removeItem']) Storage.prototype[use] = () => { ${REFUSED} }`,
  ],
])('a reader signs in, edits and answers where the storage %s', async (title, script) => {
  const gameId = await newGame()
  const userName = `reader-${title.replaceAll(' ', '-')}`
  const { page, context } = await openConsole(service)
  await context.addInitScript(script)
  await page.goto(`${service.baseUrl}/console?again#/games/${gameId}`)
  await openSignIn(page)
  await signIn(page, newAccount(userName))
  await page.getByRole('button', { name: userName }).waitFor()
  await writeComment(page, 'First')
  await commentBy(page, userName).getByText('First').waitFor()
  await commentBy(page, userName).getByRole('button', { name: 'Edit' }).click()
  await editField(page).fill('Second')
  await page.goto(`${service.baseUrl}/console?again#/discussions`)
  await page.getByRole('heading', { name: 'Active discussions' }).waitFor()
  await page.goBack()
  await expect.poll(() => editField(page).inputValue()).toBe('Second')
  await page.getByRole('button', { name: 'Save' }).click()
  await commentBy(page, userName).getByText('Second').waitFor()
  await commentBy(page, userName).getByRole('button', { name: 'Reply' }).click()
  await replyField(page).fill('Third')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await commentBy(page, userName).getByText('Third').waitFor()
  expect(await replyField(page).count()).toBe(0)
})

test('the sign-in dialog says that the browser refuses cookies', async () => {
  const { page, expectProblem } = await openConsole(service)
  expectProblem(/401/)
  await page.route('**/auth/login', (route) => route.fulfill({ json: { userId: writer.id } }))
  await openSignIn(page)
  const dialog = page.getByRole('dialog', { name: 'Sign in' })
  await dialog.getByRole('textbox', { name: 'E-mail' }).fill('a@example.com')
  await dialog.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
  await dialog.getByRole('alert').getByText('cookies').waitFor()
  expect(await dialog.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('a@example.com')
})

test('a draft belongs to its tab: a post from one tab leaves the text of another', async () => {
  const gameId = await newGame()
  const { page: one, context } = await openGame(gameId)
  const two = await openTab(context, gameId)
  await one.bringToFront()
  await composer(one).fill('From the first tab')
  await composer(two).fill('From the second tab')
  await postButton(one).click()
  await commentBy(one, 'writer').getByText('From the first tab').waitFor()
  await two.reload()
  await expect.poll(() => composer(two).inputValue()).toBe('From the second tab')
  await one.reload()
  await commentBy(one, 'writer').waitFor()
  expect(await composer(one).inputValue()).toBe('')

  // A closed tab leaves its text to the next that is opened.
  await two.close()
  const three = await openTab(context, gameId)
  await expect.poll(() => composer(three).inputValue()).toBe('From the second tab')
  await postButton(three).click()
  await commentBy(three, 'writer').getByText('From the second tab').waitFor()
  expect(await listDrafts(three)).toEqual([])
})

test('a draft belongs to one of two tabs when a tab is duplicated', async () => {
  const gameId = await newGame()
  const { page: one, context } = await openGame(gameId)
  await composer(one).fill('From the first tab')
  // A duplicated tab begins with the session storage of the other.
  const stored = JSON.stringify(await one.evaluate('({ ...sessionStorage })'))
  await context.addInitScript(
    `location.protocol === "http:" && sessionStorage.length === 0 && Object.assign(sessionStorage, ${stored})`,
  )
  const two = await openTab(context, gameId)
  expect(await composer(two).inputValue()).toBe('')
  await composer(two).fill('From the second tab')
  for (const [page, text] of [
    [one, 'From the first tab'],
    [two, 'From the second tab'],
  ] as const) {
    await page.reload()
    await expect.poll(() => composer(page).inputValue()).toBe(text)
  }
})

test('a draft is dropped after 30 days, and the oldest as soon as all are longer than 1 MB', async () => {
  const gameId = await newGame()
  const { page } = await openGame(gameId)
  const keyOf = (about: string) => `gamehall-draft-${writer.id}-closed-${about}`
  const days = (count: number) => Date.now() - count * 24 * 60 * 60_000
  const store = (about: string, at: number, length: number) =>
    page.evaluate(`localStorage.setItem('${keyOf(about)}', '${at} ' + JSON.stringify({ text: 'x'.repeat(${length}) }))`)
  await store('old', days(31), 10)
  await store('long', days(2), 300_000)
  await store('longer', days(1), 300_000)
  await store('new', days(0), 10)
  await page.reload()
  await page.getByRole('button', { name: 'writer' }).waitFor()
  const kept: string[] = await listDrafts(page)
  expect(kept.map((key) => key.split('-').at(-1)).toSorted()).toEqual(['longer', 'new'])
})

test('a draft of an edit begins with the first change: only an untouched form takes the newer text', async () => {
  const gameId = await newGame()
  const id = await comment(writer, gameId, 'Old text')
  const { page } = await openGame(gameId)
  const edit = commentBy(page, 'writer').getByRole('button', { name: 'Edit' })
  const warning = page.getByText('This comment was changed elsewhere since you began')
  await edit.click()
  await editField(page).press('Escape')
  await writer.patch(`/comments/${id}`, { body: { body: 'Newer text' } })
  await commentBy(page, 'writer').getByText('Newer text').waitFor()
  await edit.click()
  expect(await editField(page).inputValue()).toBe('Newer text')
  await writer.patch(`/comments/${id}`, { body: { body: 'Newest text' } })
  await expect.poll(() => editField(page).inputValue()).toBe('Newest text')
  expect(await warning.count()).toBe(0)

  await editField(page).fill('My text')
  await writer.patch(`/comments/${id}`, { body: { body: 'Text of another tab' } })
  await warning.waitFor()
  expect(await editField(page).inputValue()).toBe('My text')
  await page.reload()
  await warning.waitFor()
  expect(await editField(page).inputValue()).toBe('My text')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await commentBy(page, 'writer').getByText('Text of another tab').waitFor()
})

test('an edit sends only its changes', async () => {
  const gameId = await newGame()
  await comment(writer, gameId, `<p>${'&lt;'.repeat(2_000)}</p>`)
  const { page } = await openGame(gameId)
  const sent: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postDataJSON())
  })
  const edit = commentBy(page, 'writer').getByRole('button', { name: 'Edit' })
  const save = page.getByRole('button', { name: 'Save' })
  await edit.click()
  await page.getByRole('form', { name: 'Edit the comment' }).getByRole('checkbox', { name: 'Spoiler' }).check()
  await save.click()
  await edit.waitFor()
  await edit.click()
  await editField(page).fill('Short')
  await save.click()
  await edit.waitFor()
  await edit.click()
  await save.click()
  await edit.waitFor()
  expect(sent).toEqual([{ isSpoiler: true }, { body: '<p>Short</p>' }])
})

test('a form names why its text cannot be sent: the comment is deleted or hidden', async () => {
  const gameId = await newGame()
  const answered = await comment(author, gameId, 'Who lit it?')
  const own = await comment(writer, gameId, 'The keeper did')
  const { page } = await openGame(gameId)
  await commentBy(page, 'author').getByRole('button', { name: 'Reply' }).click()
  await page.keyboard.type('Nobody kn')
  await commentBy(page, 'author').waitFor()
  await author.delete(`/comments/${answered}`)
  await page.getByText('the comment that you answer was hidden or deleted').waitFor()
  await commentBy(page, 'author').waitFor({ state: 'detached' })
  await page.keyboard.type('ows')
  expect(await replyField(page).inputValue()).toBe('Nobody knows')
  expect(await page.getByRole('button', { name: 'Post reply' }).isDisabled()).toBe(true)
  await page.getByRole('form', { name: 'Write a reply' }).getByRole('button', { name: 'Cancel' }).click()

  await commentBy(page, 'writer').getByRole('button', { name: 'Edit' }).click()
  await editField(page).fill('The keeper did not')
  await admin.patch(`/comments/${own}/status`, { body: { status: 'hidden' } })
  await page.getByText('your comment was hidden or deleted').waitFor()
  expect(await editField(page).inputValue()).toBe('The keeper did not')
  await admin.patch(`/comments/${own}/status`, { body: { status: 'visible' } })
  await commentBy(page, 'writer').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await commentBy(page, 'writer').getByText('The keeper did not').waitFor()
})

test('a form stays in sight in another sort whose first page lacks the comment', async () => {
  const gameId = await newGame()
  const first = await comment(author, gameId, 'The first')
  for (let n = 0; n < 10; n += 1) await comment(author, gameId, `Number ${n}`)
  await admin.put(`/comments/${first}/like`)
  const { page } = await openGame(gameId)
  await commentBy(page, 'author').first().getByRole('button', { name: 'Reply' }).click()
  await replyField(page).fill('Still here')
  await page.getByRole('button', { name: 'New', exact: true }).click()
  await page.getByText('Number 9').waitFor()
  expect(await page.getByText('The first', { exact: true }).count()).toBe(0)
  expect(await replyField(page).inputValue()).toBe('Still here')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await replyField(page).waitFor({ state: 'detached' })
  expect(await service.db.comments.countDocuments({ parentId: new ObjectId(first) })).toBe(1)
})

/** Lets comments reach the service and loses its answers, until the function that it returns is called. */
async function loseAnswers(page: Page) {
  await page.route('**/comments', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    await route.fetch()
    await route.abort('connectionreset')
  })
  return () => page.unroute('**/comments')
}

test('a comment or reply whose answer was lost is not stored twice by a second Post', async () => {
  const gameId = await newGame()
  // The same text of an earlier day is another comment.
  await comment(writer, gameId, 'Who <b>lit</b> "it"?')
  const { page, expectProblem } = await openGame(gameId)
  expectProblem(/ERR_CONNECTION_RESET/)
  const stop = await loseAnswers(page)
  await commentBy(page, 'writer').waitFor()
  await writeComment(page, 'Who **lit** "it"?')
  await page.getByText('The service cannot be reached').waitFor()
  await stop()
  await page.reload()
  await expect.poll(() => composer(page).inputValue()).toBe('Who **lit** "it"?')
  await postButton(page).click()
  await expect.poll(() => composer(page).inputValue()).toBe('')
  expect(await countStored(gameId)).toBe(2)
  await commentBy(page, 'writer').nth(1).waitFor()

  const stopAgain = await loseAnswers(page)
  await commentBy(page, 'writer').first().getByRole('button', { name: 'Reply' }).click()
  await replyField(page).fill('Me')
  await page.getByRole('button', { name: 'Post reply' }).click()
  await page.getByText('The service cannot be reached').waitFor()
  await stopAgain()
  await page.getByRole('button', { name: 'Post reply' }).click()
  await replyField(page).waitFor({ state: 'detached' })
  expect(await countStored(gameId)).toBe(3)
})

test('a comment that never arrived is sent, and a changed one is a new comment', async () => {
  const gameId = await newGame()
  const { page, expectProblem } = await openGame(gameId)
  expectProblem(/ERR_CONNECTION_RESET/)
  await page.route('**/comments', (route) => route.abort('connectionreset'))
  await writeComment(page, 'One')
  await page.getByText('The service cannot be reached').waitFor()
  await page.unroute('**/comments')
  await postButton(page).click()
  await commentBy(page, 'writer').getByText('One', { exact: true }).waitFor()

  const stop = await loseAnswers(page)
  await writeComment(page, 'Two')
  await page.getByText('The service cannot be reached').waitFor()
  await stop()
  await writeComment(page, 'Two and a half')
  await page.getByText('Your text had arrived').waitFor()
  expect(await countStored(gameId)).toBe(2)
  await postButton(page).click()
  await commentBy(page, 'writer').getByText('Two and a half').waitFor()
  expect(await countStored(gameId)).toBe(3)
})
