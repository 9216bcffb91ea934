import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { SourceError } from '#lib/infrastructure/sources/transport/errors'
import { createFastSources } from '../../../support/stand-ins/fast-sources.ts'
import { startIgdbStandIn } from '../../../support/stand-ins/igdb.ts'
import { startRaStandIn } from '../../../support/stand-ins/retroachievements.ts'
import { startVndbStandIn } from '../../../support/stand-ins/vndb.ts'

const igdb = await startIgdbStandIn({ perWindow: 10_000 })
const vndb = await startVndbStandIn()
const ra = await startRaStandIn()
const servers = [igdb, vndb, ra]
afterAll(() => Promise.all(servers.map((server) => server.close())))
beforeEach(() => {
  for (const server of servers) server.reset()
})

const sources = createFastSources({ ...igdb.env, ...vndb.env, ...ra.env }, { retryMs: 1 })

type Walked = 'igdb' | 'vndb' | 'ra'
const TURNS_MAX = 1_000

/** Walks a source to its end. `between` is called after each page. */
async function walk(
  source: Walked,
  { cursor = null as string | null, consoles = [1], between = (_page: number) => {} } = {},
) {
  const ids: string[] = []
  for (let page = 1; page < TURNS_MAX; page += 1) {
    const read = await sources[source].readPage?.(cursor, { consoles })
    if (read === undefined) throw new Error(`${source} cannot be walked`)
    ids.push(...read.entries.map((entry) => (entry instanceof SourceError ? 'malformed' : entry.id)))
    cursor = read.cursor
    between(page)
    if (read.isLast) return { ids, distinct: [...new Set(ids)], cursor, pages: page }
  }
  throw new Error('the walk has no end')
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)
const byNumber = (ids: readonly string[]) => ids.toSorted((a, b) => Number(a) - Number(b))

describe('igdb', () => {
  const put = (...rows: { id: number; updated_at: number }[]) => {
    for (const { id, ...row } of rows) {
      const at = igdb.games.findIndex((game) => game.id === id)
      igdb.games.splice(at < 0 ? igdb.games.length : at, at < 0 ? 0 : 1, { id, name: `Game ${id}`, ...row })
    }
  }
  beforeEach(() => void igdb.games.splice(0))

  it('games are read in the order of changes, pages overlap by one second, and the next walk begins at the last change', async () => {
    put(...numbers(250).map((id) => ({ id, updated_at: 1_000 + Math.floor((id - 1) / 3) })))

    const first = await walk('igdb')
    expect(first.distinct).toEqual(numbers(250).map(String))
    expect(first.ids.length).toBeLessThan(256)
    expect(first.cursor).toBe('1083')
    put({ id: 7, updated_at: 1_083 }, { id: 300, updated_at: 2_000 })
    expect((await walk('igdb', first)).distinct).toEqual(['7', '250', '300'])
  })

  it('a second with more changed games than a page is read to its end', async () => {
    put(...numbers(350).map((id) => ({ id, updated_at: 1_000 })), { id: 400, updated_at: 1_001 })

    const { distinct, pages } = await walk('igdb')
    expect(byNumber(distinct)).toEqual([...numbers(350), 400].map(String))
    expect(pages).toBeLessThan(8)
  })

  it('games that change during the walk are not missed', async () => {
    put(...numbers(300).map((id) => ({ id, updated_at: 1_000 + id })))
    const between = (page: number) =>
      put({ id: page, updated_at: 5_000 + page }, { id: 1_000 + page, updated_at: 6_000 })

    const { distinct } = await walk('igdb', { between: (page) => page < 4 && between(page) })
    expect(byNumber(distinct)).toEqual([...numbers(300), 1_001, 1_002, 1_003].map(String))
  })

  it('a walk begins at a time', async () => {
    put(...numbers(10).map((id) => ({ id, updated_at: id * 1_000 })))

    const cursor = sources.igdb.cursorSince?.(new Date(8_000_000)) ?? null
    expect((await walk('igdb', { cursor })).ids).toEqual(['8', '9', '10'])
  })

  it('an entry in another form is an error of that entry', async () => {
    put({ id: 1, updated_at: 1 })
    igdb.games.push({ id: 2, name: '', updated_at: 2 })

    expect((await walk('igdb')).ids).toEqual(['1', 'malformed'])
  })

  it('a full page without a next position ends the walk', async () => {
    igdb.fail({ body: numbers(100).map(() => ({ name: 'Nobody' })) })

    await expect(walk('igdb')).rejects.toThrow('leads nowhere')
  })
})

it('vndb: novels are read by id, all in each walk, whatever changes during it', async () => {
  for (const id of numbers(250)) vndb.put({ id: `v${id}`, title: `Novel ${id}` })
  const between = (page: number) => vndb.put({ id: `v${400 + page}`, title: 'Later' }, { id: 'v9', title: 'Changed' })

  const { ids, cursor } = await walk('vndb', { between: (page) => page < 3 && between(page) })
  expect(ids).toEqual([...numbers(250), 401, 402].map((id) => `v${id}`))
  expect(cursor).toBeNull()
  expect(vndb.requests.map(({ body }) => JSON.parse(body).filters?.[2])).toEqual([undefined, 'v100', 'v200'])
})

it('vndb: a page without a next position ends the walk', async () => {
  vndb.fail({ body: { results: [], more: true } })

  await expect(walk('vndb')).rejects.toThrow('leads nowhere')
})

describe('ra', () => {
  const put = (consoleId: number, from: number, count: number, more: object = { NumAchievements: 3 }) =>
    ra.put(
      ...numbers(count, from).map((ID) => ({
        ID,
        Title: `Game ${String(ID).padStart(6, '0')}`,
        ConsoleID: consoleId,
        ...more,
      })),
    )

  it('the requested consoles are read one after another, games with achievements alone', async () => {
    put(3, 1_000, 450)
    put(7, 2_000, 10)
    put(5, 3_000, 10)
    put(3, 4_000, 5, { NumAchievements: 0 })

    const { distinct, cursor } = await walk('ra', { consoles: [7, 3] })
    expect(distinct).toEqual([...numbers(450, 1_000), ...numbers(10, 2_000)].map(String))
    expect(cursor).toBeNull()
  })

  it('no other game is missed when games leave the list during the walk', async () => {
    put(11, 10_000, 450)

    const { distinct } = await walk('ra', {
      consoles: [11],
      between: (page) => numbers(5, 10_000 + page * 10).forEach((id) => void ra.remove(id)),
    })
    expect(distinct).toEqual(numbers(450, 10_000).map(String))
  })

  it('a whole list at once ends the walk of its console', async () => {
    ra.fail({ body: numbers(450).map((ID) => ({ ID, Title: `Game ${ID}`, ConsoleID: 31 })) })

    expect((await walk('ra', { consoles: [31] })).ids).toEqual(numbers(450).map(String))
    expect(ra.requests).toHaveLength(1)
  })

  it('a walk without consoles sends nothing', async () => {
    expect(await walk('ra', { consoles: [] })).toMatchObject({ ids: [], cursor: null })
    expect(ra.requests).toEqual([])
  })

  it('a cursor of a console that is gone continues with the next one', async () => {
    put(21, 20_000, 1)

    expect((await walk('ra', { cursor: '20/180', consoles: [3, 21] })).ids).toEqual(['20000'])
  })
})

it('hltb and a source that is off are never walked', () => {
  expect(sources.hltb.readPage).toBeUndefined()
  const off = createFastSources({})
  expect([off.igdb.readPage, off.ra.readPage]).toEqual([undefined, undefined])
})
