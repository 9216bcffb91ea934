import { randomUUID } from 'node:crypto'
import { sign } from 'hono/jwt'
import { type Collection, type Document, ObjectId, type OptionalUnlessRequiredId } from 'mongodb'
import type { Deps } from '#lib/deps'
import { ACCESS_TOKEN_SECONDS } from '#lib/domain/auth/sessions/tokens'
import { insertCharacters, type NewCharacter } from '#lib/domain/catalogue/characters/insert-characters'
import { insertGame as insertGameInTransaction, type NewGame } from '#lib/domain/catalogue/games/insert-game'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { CommentDocument } from '#lib/infrastructure/db/collections/comments'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { NotificationDocument } from '#lib/infrastructure/db/collections/notifications'
import type { PlatformDocument } from '#lib/infrastructure/db/collections/platforms'
import type { ReportDocument } from '#lib/infrastructure/db/collections/reports'
import type { Database } from '#lib/infrastructure/db/connect'
import type { TestUser } from '../clients/caller.ts'

function dated() {
  const now = new Date()
  return { createdAt: now, updatedAt: now }
}

export async function cookieOf(deps: Pick<Deps, 'jwtSecret'>, userId: ObjectId): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const token = await sign({ sub: userId.toHexString(), iat: now, exp: now + ACCESS_TOKEN_SECONDS }, deps.jwtSecret)
  return `accessSessionToken=${token}`
}

const DAY = 24 * 60 * 60 * 1_000

export interface UserFacts {
  userName?: string
  isAdmin?: boolean
  /** A month ago by default, so that no limit of new accounts applies. */
  createdAt?: Date
}

export async function insertUser(
  deps: Pick<Deps, 'jwtSecret' | 'db'>,
  { userName, isAdmin = false, createdAt = new Date(Date.now() - 30 * DAY) }: UserFacts & { userName: string },
): Promise<TestUser> {
  const _id = new ObjectId()
  await deps.db.users.insertOne({
    _id,
    userName,
    email: `${userName.toLowerCase()}@example.com`,
    passwordHash: 'none',
    roles: isAdmin ? ['user', 'admin'] : ['user'],
    createdAt,
    updatedAt: createdAt,
  })
  return { _id, userName, cookie: await cookieOf(deps, _id) }
}

type Catalogue = Pick<Deps, 'db' | 'clock'>

export const insertKeyedGame = (deps: Catalogue, game: NewGame) =>
  deps.db.transaction((session) => insertGameInTransaction(deps, game, { session }))

export async function insertKeyedCharacter(deps: Catalogue, character: NewCharacter): Promise<CharacterDocument> {
  const [inserted] = await deps.db.transaction((session) => insertCharacters(deps, [character], { session }))
  if (inserted === undefined) throw new Error('the character was not inserted')
  return inserted
}

/** A game as another program stores it: without the derived keys by default. */
export function newGame(facts: Partial<GameDocument> = {}): GameDocument {
  return { _id: new ObjectId(), name: 'Lantern Keep', slug: `g-${randomUUID()}`, ...dated(), ...facts }
}

export async function insertGame(db: Database, facts: Partial<GameDocument> = {}): Promise<ObjectId> {
  const game = newGame(facts)
  await db.games.insertOne(game)
  return game._id
}

export const insertFoundGame = (db: Database, name: string, facts: Partial<GameDocument> = {}): Promise<ObjectId> =>
  insertGame(db, { name, nameKey: name.toLowerCase(), searchWords: name.toLowerCase().split(' '), ...facts })

export async function insertPlatform(db: Database, facts: Partial<PlatformDocument> = {}): Promise<ObjectId> {
  const platform = { _id: new ObjectId(), name: 'Console', slug: `p-${randomUUID()}`, ...dated(), ...facts }
  await db.platforms.insertOne(platform)
  return platform._id
}

type CommentFacts = Partial<CommentDocument> & Pick<CommentDocument, 'gameId' | 'userId'>

export const newComment = (facts: CommentFacts): CommentDocument => ({
  _id: new ObjectId(),
  parentId: null,
  replyToId: null,
  body: '<p>Hello</p>',
  isSpoiler: false,
  likesCount: 0,
  repliesCount: 0,
  reportsCount: 0,
  status: 'visible',
  ...dated(),
  ...facts,
})

export async function insertComment(db: Database, facts: CommentFacts): Promise<ObjectId> {
  const comment = newComment(facts)
  await db.comments.insertOne(comment)
  return comment._id
}

/** An open report, which the comment must count. */
export async function insertReport(
  db: Database,
  facts: Pick<ReportDocument, 'commentId' | 'gameId' | 'authorId' | 'reporterId'> & Partial<ReportDocument>,
): Promise<void> {
  const open = { outcome: null, by: null, decidedAt: null, decisionReason: null }
  await db.reports.insertOne({ _id: new ObjectId(), reason: null, note: null, at: new Date(), ...open, ...facts })
}

/** A conflict as a parser stores it, waiting by default. */
export function newConflict(facts: Partial<ConflictDocument> = {}): ConflictDocument {
  const entry = { source: 'igdb', externalId: randomUUID(), externalName: 'Lantern Keep' } as const
  return { _id: new ObjectId(), ...entry, status: 'pending', ...dated(), ...facts }
}

export async function insertConflict(db: Database, facts: Partial<ConflictDocument> = {}): Promise<ConflictDocument> {
  const record = newConflict(facts)
  await db.conflicts.insertOne(record)
  return record
}

export async function insertCharacter(db: Database, facts: Partial<CharacterDocument> = {}): Promise<ObjectId> {
  const character = { _id: new ObjectId(), name: 'Wick', slug: `c-${randomUUID()}`, ...dated(), ...facts }
  await db.characters.insertOne(character)
  return character._id
}

/** Stores rows in batches, because a command has 2.5 s, also on a busy machine. */
export async function insertRows<T extends Document>(
  collection: Collection<T>,
  rows: readonly OptionalUnlessRequiredId<T>[],
): Promise<void> {
  for (let from = 0; from < rows.length; from += 500) await collection.insertMany(rows.slice(from, from + 500))
}

let notifications = 0
/** A notification about nothing, unread by default. */
export function newNotification(
  facts: Pick<NotificationDocument, 'userId' | 'type'> & Partial<NotificationDocument>,
): NotificationDocument {
  const _id = new ObjectId()
  notifications += 1
  return {
    _id,
    key: `${facts.type}:${_id}`,
    count: 1,
    actors: [],
    actorsCount: 0,
    gameId: null,
    commentId: null,
    requestId: null,
    facts: null,
    isRead: false,
    createdAt: new Date(),
    updatedAt: new Date(Date.now() + notifications),
    rev: 1,
    changeOf: `${facts.userId}:1`,
    ...facts,
  }
}

export async function insertNotification(
  ...[db, facts]: [Database, Parameters<typeof newNotification>[0]]
): Promise<string> {
  const notification = newNotification(facts)
  await db.notifications.insertOne(notification)
  return notification._id.toHexString()
}

/** A content request with the fields that each has, pending by default; without a slot. */
export const newRequest = (facts: Partial<ContentRequestDocument> = {}): ContentRequestDocument => ({
  _id: new ObjectId(),
  kind: 'game',
  action: 'add',
  payload: { name: 'Lantern Keep' },
  status: 'pending',
  userId: new ObjectId(),
  createdAt: new Date(),
  ...facts,
})

export async function insertRequest(
  db: Database,
  facts: Partial<ContentRequestDocument> = {},
): Promise<ContentRequestDocument> {
  const request = newRequest(facts)
  await db.contentRequests.insertOne(request)
  return request
}
