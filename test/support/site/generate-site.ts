import { hashSync } from '@node-rs/bcrypt'
import { type Db, type Document, ObjectId } from 'mongodb'
import { generateGames } from '../../bench/catalogue.ts'
import { randomFrom } from '../tools/random.ts'

/** A document of the site, and what an import makes of it: `taken`, `mapped`, or why it stays behind. */
export interface SiteRow {
  collection: string
  document: Document
  fate: string
}

export const SITE_PASSWORD = 'an old password'
const HASH = hashSync(SITE_PASSWORD, 4)
const FIRST_SECOND = Date.UTC(2021, 0) / 1_000
const PLATFORMS = ['PC', 'SNES', 'Mega Drive', 'PlayStation', 'Dreamcast', 'Switch']

const KINDS = [
  'platform',
  'game',
  'character',
  'user',
  'comment',
  'vote',
  'report',
  'request',
  'notice',
  'conflict',
] as const

/** Makes ids that grow with time, as drivers do, and follow from kind and number. */
export const siteId = (kind: (typeof KINDS)[number], number: number) =>
  new ObjectId(
    (FIRST_SECOND + number).toString(16).padStart(8, '0') +
      KINDS.indexOf(kind).toString(16).padStart(2, '0') +
      number.toString(16).padStart(14, '0'),
  )
const dateOf = (number: number) => new Date((FIRST_SECOND + number) * 1_000)

const [TAKEN, MAPPED] = ['taken', 'mapped']

interface Oddity {
  change(document: Document, before: Document): Document
  fate?: string
}

/** Makes a row, whose document an oddity changes, and decides what becomes of it. */
const toRow = (collection: string, document: Document, oddity?: Oddity, before: Document = {}): SiteRow => ({
  collection,
  document: oddity?.change(document, before) ?? document,
  fate: oddity?.fate ?? TAKEN,
})

export interface SiteSize {
  seed: number
  games: number
  users: number
  comments: number
}

function* platforms(): Generator<SiteRow> {
  for (const [number, name] of PLATFORMS.entries()) {
    const document = {
      _id: siteId('platform', number),
      name,
      slug: name.toLowerCase().replace(' ', '-'),
      igdbId: 100 + number,
      raId: number === 3 ? String(number + 1) : number + 1,
      generation: 4,
      __v: 0,
    }
    yield toRow('platforms', document)
  }
  const twin = { _id: siteId('platform', 90), name: 'Super NES', slug: 'super-nes', igdbId: 101 }
  yield { collection: 'platforms', document: twin, fate: MAPPED }
  const nameless = { _id: siteId('platform', 91), slug: 'nothing' }
  yield { collection: 'platforms', document: nameless, fate: 'it has no name or slug' }
}

/** The oddities of games, by the last digits of their numbers. */
const ODD_GAMES: Record<number, Oddity> = {
  3: { change: ({ slug: _, ...game }) => game, fate: 'it has no name or slug' },
  5: { change: (game, { slug }) => ({ ...game, slug }), fate: 'an older one has the same slug' },
  7: { change: (game, { igdb }) => ({ ...game, igdb }), fate: 'an older one has the same igdb.gameId' },
  9: { change: (game) => ({ ...game, _id: game._id.toHexString(), createdAt: game.createdAt.toISOString() }) },
  11: {
    change: (game) => ({ ...game, igdb: { ...game.igdb, gameId: String(game.igdb.gameId) }, hltb: { hltbId: 7 } }),
  },
  13: {
    change: (game) => ({ ...game, platformIds: [siteId('platform', 90).toHexString()], siteOnly: { a: [1] } }),
  },
  15: { change: (game) => ({ ...game, hltb: { hltbId: [] }, igdb: null, companies: [null, { name: 'Odd' }] }) },
}

function* games({ seed, games: count }: SiteSize): Generator<SiteRow> {
  let before: Document = {}
  let number = 0
  for (const game of generateGames(seed)) {
    if (number === count) return
    const { nameKey: _, alternativeKeys: _1, searchWords: _2, searchRank: _3, matchKeys: _4, ...plain } = game
    const platform = siteId('platform', number % PLATFORMS.length)
    const document = {
      ...plain,
      _id: siteId('game', number),
      platformIds: [platform],
      release_dates: [
        { date: plain.first_release, human: '', month: 1, year: 2000, platformId: platform.toHexString(), region: 8 },
      ],
      relatedGames: {
        similar_games: [siteId('game', 0).toHexString()],
        parent_game: siteId('game', 1).toHexString(),
      },
      cover: `https://images.site.example/${number}.jpg`,
      createdAt: dateOf(number),
      updatedAt: dateOf(number).toISOString(),
      __v: 3,
    }
    yield toRow('games', document, ODD_GAMES[number % 20], before)
    before = document
    number += 1
  }
}

const DOUBLE_CHARACTER: Oddity = {
  change: (character) => ({ ...character, slug: 'hero-3' }),
  fate: 'an older one has the same slug',
}

function* characters({ games: count }: SiteSize): Generator<SiteRow> {
  for (let number = 0; number < count / 10; number++) {
    const gameIds = [siteId('game', number).toHexString(), siteId('game', 3)]
    const document = { _id: siteId('character', number), name: `Hero ${number}`, slug: `hero-${number}`, gameIds }
    yield toRow('characters', document, number === 4 ? DOUBLE_CHARACTER : undefined)
  }
}

const ODD_USERS: Record<number, Oddity> = {
  3: { change: ({ email: _, ...user }) => user, fate: 'it has no name or no address' },
  5: {
    change: (user, { userName }) => ({ ...user, userName: userName.toUpperCase(), password: 'no hash' }),
    fate: 'an older one has the same userName',
  },
  7: {
    change: (user, { email }) => ({ ...user, email: email.toUpperCase() }),
    fate: 'an older one has the same email',
  },
  9: { change: (user) => ({ ...user, password: HASH.replace('$04$', '$13$') }) },
  11: { change: (user) => ({ ...user, _id: user._id.toHexString(), roles: 'moderator' }) },
  13: { change: (user) => ({ ...user, roles: ['user', 'admin'], createdAt: user.createdAt.toISOString() }) },
  15: {
    change: (user) => ({
      ...user,
      presets: [
        { name: 'Mine', preset: [siteId('game', 0).toHexString()] },
        { name: '', preset: 1 },
      ],
    }),
  },
}

function* users({ users: count }: SiteSize): Generator<SiteRow> {
  let before: Document = {}
  for (let number = 0; number < count; number++) {
    const document = {
      _id: siteId('user', number),
      userName: `reader ${number}`,
      email: `Reader.${number}@example.org`,
      password: HASH,
      refreshToken: 'secret',
      roles: ['user'],
      royalGames: [siteId('game', 0).toHexString(), siteId('game', 1), siteId('game', 3), 'odd'],
      createdAt: dateOf(number),
    }
    yield toRow('users', document, ODD_USERS[number % 20], before)
    before = document
  }
}

const isUserTaken = (number: number) => ODD_USERS[number % 20]?.fate === undefined

/** The oddities of comments. The first of a hundred begins the thread of the others. */
const ODD_COMMENTS: Record<number, Oddity> = {
  11: { change: (comment) => ({ ...comment, gameId: siteId('game', 3) }), fate: 'its parent is of another game' },
  13: {
    change: (comment) => ({ ...comment, parentId: siteId('comment', 9_999_999) }),
    fate: 'its parent is missing',
  },
  15: { change: (comment) => ({ ...comment, parentId: null, gameId: 'none' }), fate: 'its game is missing' },
  17: { change: (comment) => ({ ...comment, body: '<script>1</script>' }), fate: 'its text cannot be shown' },
  19: { change: (comment) => ({ ...comment, status: 'shadow' }), fate: 'its status is unknown here' },
  21: { change: (comment) => ({ ...comment, _id: comment._id.toHexString(), gameId: comment.gameId.toHexString() }) },
  23: { change: (comment) => ({ ...comment, status: 'deleted', body: 'a secret' }) },
  25: { change: (comment) => ({ ...comment, status: 'hidden' }) },
  27: { change: (comment) => ({ ...comment, reviewId: new ObjectId(), parentId: null, replyToId: null }) },
  29: { change: ({ userId: _, ...comment }) => comment },
  31: {
    change: (comment) => ({
      ...comment,
      replyToId: siteId('comment', 9_999_999),
      createdAt: '2022-03-04T05:06:07Z',
    }),
  },
  51: { change: (comment) => ({ ...comment, parentId: comment.replyToId.toHexString().toUpperCase() }) },
}
const THREAD = 100

function* comments({ comments: count, games: gameCount, users: userCount }: SiteSize): Generator<SiteRow> {
  for (let number = 0; number < count; number++) {
    const place = number % THREAD
    const thread = number - place
    const gameNumber = ((thread / THREAD) * 20) % Math.max(20, gameCount - (gameCount % 20))
    const document = {
      _id: siteId('comment', number),
      gameId: siteId('game', gameNumber),
      userId: siteId('user', number % userCount),
      parentId: place === 0 ? null : siteId('comment', thread),
      replyToId: place === 0 ? null : siteId('comment', place > 40 ? number - 1 : thread),
      body: `<p onclick="x()">Thought ${number}</p>`,
      isSpoiler: number % 2 === 1,
      likesCount: 999,
      repliesCount: 999,
      createdAt: dateOf(number),
    }
    yield toRow('gamecomments', document, ODD_COMMENTS[place])
  }
}

const isCommentTaken = (number: number) => ODD_COMMENTS[number % THREAD]?.fate === undefined

function* votes({ seed, comments: count, users: userCount }: SiteSize): Generator<SiteRow> {
  const random = randomFrom(seed)
  const voted = new Set<string>()
  for (let number = 0; number < count; number++) {
    const comment = Math.floor(random() * count)
    const user = Math.floor(random() * userCount)
    const isReport = number % 10 === 0
    const names = { targetId: siteId('comment', comment), userId: siteId('user', user).toHexString() }
    const key = `${isReport} ${comment} ${user}`
    if (voted.has(key)) continue
    voted.add(key)
    const isClosed = isReport && number % 30 === 0
    const isOfReview = !isReport && number % 10 === 5
    const isOwn = comment % userCount === user && comment % THREAD !== 29
    const fate = () => {
      if (isClosed) return 'it is closed'
      if (isOfReview) return 'it is not for a comment'
      if (!isCommentTaken(comment)) return 'its comment is missing'
      if (!isUserTaken(user)) return 'its user is missing'
      return isOwn ? 'it is for an own comment' : TAKEN
    }
    const document = isReport
      ? { _id: siteId('report', number), ...names, status: isClosed ? 'dismissed' : 'open', reason: 'spam' }
      : { _id: siteId('vote', number), ...names, target: isOfReview ? 'review' : 'comment' }
    yield { collection: isReport ? 'commentreports' : 'commentvotes', document, fate: fate() }
  }
}

const ODD_REQUESTS: Record<number, Oddity> = {
  2: {
    change: (request) => ({ ...request, payload: { name: 'A', unknown: 1 } }),
    fate: 'it breaks the rules of requests',
  },
  3: { change: (request) => ({ ...request, status: 'archived' }), fate: 'its status is unknown here' },
  4: {
    change: (request) => ({ ...request, action: 'update', targetId: siteId('game', 3) }),
    fate: 'its target is missing',
  },
  5: { change: (request) => ({ ...request, action: 'update', targetId: siteId('game', 0).toHexString() }) },
  6: {
    change: (request) => ({ ...request, status: 'approved', decidedAt: '2022-01-01T00:00:00.000Z', decidedBy: 'odd' }),
  },
  7: { change: (request) => ({ ...request, userId: siteId('user', 3) }), fate: 'its author is missing' },
}
const PENDING_OF_ONE = 30

function* requests(): Generator<SiteRow> {
  const make = (number: number, user: number) => ({
    _id: siteId('request', number),
    kind: 'game',
    action: 'add',
    payload: { name: `Game ${number}`, platformIds: [siteId('platform', 90)], summary: null },
    sources: [],
    status: 'pending',
    userId: siteId('user', user),
    claimedAt: '2022-01-01T00:00:00.000Z',
    createdAt: dateOf(number).toISOString(),
  })
  for (let number = 0; number < 20; number++) {
    yield toRow('contentrequests', make(number, 0), ODD_REQUESTS[number])
  }
  for (let number = 0; number < PENDING_OF_ONE; number++) {
    // A younger id has an older request.
    const document = { ...make(100 + number, 1), createdAt: dateOf(1_000 - number).toISOString() }
    const fate = number < PENDING_OF_ONE - 20 ? 'its author has 20 older pending ones' : TAKEN
    yield { collection: 'contentrequests', document, fate }
  }
}

function* notifications(): Generator<SiteRow> {
  const types = [
    { type: 'comment-reply', payload: { commentId: siteId('comment', 1), gameId: siteId('game', 0) } },
    { type: 'request-decided', payload: { decision: 'approve', requestKind: 'game', requestName: 'Ys' } },
    { type: 'comment-moderated', payload: { status: 'hidden' } },
    { type: 'comment-moderated', payload: { status: 'odd' }, fate: 'what it tells is unknown here' },
    { type: 'new-follower', payload: {}, fate: 'its type is unknown here' },
    { type: 'comment-reply', payload: {}, userId: siteId('user', 3), fate: 'its user is missing' },
  ]
  // All notifications have one time.
  const createdAt = new Date()
  for (const [number, { fate = TAKEN, ...facts }] of types.entries()) {
    const actors = [siteId('user', 1), siteId('user', 3)]
    const document = {
      _id: siteId('notice', number),
      userId: siteId('user', 0),
      actors,
      isRead: false,
      ...facts,
    }
    yield { collection: 'notifications', document: { ...document, createdAt }, fate }
  }
}

const IGDB_GAME = {
  name: 'Lantern Keep',
  first_release_date: 1_488_499_200,
  platforms: [{ id: 100 }],
  involved_companies: [{ company: { name: 'North Pier' }, developer: true }],
}
const VNDB_NOVEL = {
  title: 'Lantern no Yoru',
  released: '2019-04',
  developers: [{ name: 'North Pier' }],
  platforms: [],
}

function* conflicts(): Generator<SiteRow> {
  const game = siteId('game', 0)
  const rows: (Document & { fate?: string })[] = [
    { source: 'igdb', externalData: { id: 9_001, ...IGDB_GAME } },
    { source: 'vndb', externalId: 'v9001', externalData: { id: 'v9001', ...VNDB_NOVEL } },
    { source: 'igdb' },
    { source: 'ra', externalData: { name: 'Lantern Keep', released: '2017' } },
    {
      source: 'hltb',
      externalId: game.toHexString(),
      entries: [
        { game_id: 5, game_name: 'Lantern Keep' },
        { id: '6', name: 'L' },
      ],
    },
    { source: 'hltb', externalId: siteId('game', 3).toHexString(), fate: 'its game is missing' },
    {
      source: 'igdb',
      status: 'resolved',
      winners: [game.toHexString(), siteId('game', 1)],
      externalData: { id: 1, ...IGDB_GAME },
    },
    {
      source: 'vndb',
      externalId: 'v8',
      status: 'absent',
      decidedBy: { userId: siteId('user', 0), userName: 'reader 0' },
    },
    { source: 'ra', status: 'resolved', winners: [siteId('game', 3)], fate: 'its game is missing' },
    { source: 'igdb', decision: 'match', fate: 'queued' },
    { source: 'igdb', status: 'ignored', fate: 'its state is unknown here' },
    { source: 'mobygames', fate: 'its source is unknown here' },
    { source: 'igdb', externalData: { name: 'L', url: 'no link' }, fate: 'its entry breaks the rules' },
  ]
  for (const [number, { fate = TAKEN, ...facts }] of rows.entries()) {
    const record = {
      _id: siteId('conflict', number),
      externalId: 8_000 + number,
      externalName: `Lantern ${number}`,
    }
    const document = { ...record, status: 'pending', decision: null, createdAt: dateOf(number).toISOString(), ...facts }
    yield { collection: 'conflicts', document, fate }
  }
}

/** Generates the site's database, the same for the same seed: every shape that an import meets, odd ones too. */
export function* generateSite(size: SiteSize): Generator<SiteRow> {
  yield* platforms()
  yield* games(size)
  yield* characters(size)
  yield* users(size)
  yield* comments(size)
  yield* votes(size)
  yield* requests()
  yield* conflicts()
  yield* notifications()
}

/** Stores a generated site. */
export async function fillSite(site: Db, size: SiteSize): Promise<void> {
  const rows = [...generateSite(size)]
  for (const name of new Set(rows.map(({ collection }) => collection))) {
    const documents = rows.flatMap(({ collection, document }) => (collection === name ? [document] : []))
    await site.collection(name).insertMany(documents)
  }
}
