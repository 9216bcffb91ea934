import type { GrownData } from './growth-data.ts'

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** The index of the user who sends it; the first is an admin. */
  user?: number
  body?: object
}

interface SocketCall {
  event: 'royal:sync' | 'royal:add' | 'royal:move'
  payload: object
  user: number
}

export interface Case {
  name: string
  call(data: GrownData, sample: number): Call | SocketCall
  /** Says why the case grows by more than the goal. */
  reason?: string
}

type OfData<T> = (data: GrownData, sample: number) => T
type Method = Call['method']

const read = (name: string, path: OfData<string>, { user, reason }: { user?: number; reason?: string } = {}): Case => ({
  name,
  ...(reason && { reason }),
  call: (data, sample) => ({ method: 'GET', path: path(data, sample), ...(user !== undefined && { user }) }),
})

/** Another user sends each sample of a write, unless the admin does. */
const write = (
  name: string,
  method: Method,
  path: OfData<string>,
  { by = 'users', body, reason }: { by?: 'admin' | 'users'; body?: OfData<object>; reason?: string } = {},
): Case => ({
  name,
  ...(reason && { reason }),
  call: (data, sample) => ({
    method,
    path: path(data, sample),
    user: by === 'admin' ? 0 : sample + 1,
    ...(body && { body: body(data, sample) }),
  }),
})

const ask = (name: string, event: SocketCall['event'], payload: OfData<object>): Case => ({
  name,
  call: (data, sample) => ({ event, payload: payload(data, sample), user: 0 }),
})

const TEXT = { body: '<p>That trial scene!</p>' }
const COUNTED = 'counts what it found, up to the bound of its total, which the small data do not reach'
const COUNTED_WHOLE = 'counts all of them from the index, of which there are 100 times as many'
const LIKED_BY_MANY = 'the comment holds the ids of all who like it, and is stored as a whole'

/** Every list and every write whose work may grow with the data. */
export const CASES: readonly Case[] = [
  read('discussion, best first', ({ busyGame }) => `/games/${busyGame}/comments?sort=top`, {
    user: 1,
    reason: COUNTED,
  }),
  read('discussion, newest first', ({ busyGame }) => `/games/${busyGame}/comments?sort=new`, { reason: COUNTED }),
  read('discussion, page 40', ({ busyGame }) => `/games/${busyGame}/comments?sort=top&page=40`, {
    reason: 'the small discussion ends before',
  }),
  read('discussion, page 500', ({ busyGame }) => `/games/${busyGame}/comments?sort=top&page=500`, {
    reason: 'the small discussion ends before; the index is walked to the page',
  }),
  read('replies of one comment', ({ busyComment }) => `/comments/${busyComment}/replies`, {
    reason: COUNTED_WHOLE,
  }),
  read('replies, page 500', ({ busyComment }) => `/comments/${busyComment}/replies?page=500`, {
    reason: 'the small thread ends before; the index is walked to the page',
  }),
  read('active discussions', () => '/discussions', {
    reason: 'reads the newest 1,000 comments, the small data have less of them in few games',
  }),
  read('game by slug', () => '/games/generated-7'),
  read('search of games, two frequent words', () => '/games/search?searchString=the%20of', { reason: COUNTED }),
  read('search of games, a title', () => '/games/search?searchString=final%20fantasy', { reason: COUNTED }),
  read('search of characters', () => '/characters/search?searchString=som'),
  read('user by name', () => '/user/search?searchString=reader-7'),
  read('reported comments', () => '/comments/reported', { user: 0, reason: COUNTED }),
  read('open reports', () => '/reports', { user: 0, reason: COUNTED }),
  read('conflicts, summary', () => '/conflicts', { user: 0, reason: 'counts what waits, at most once a second' }),
  read('conflicts, list', () => '/conflicts/list?state=waiting', {
    user: 0,
    reason: 'counts what waits, at most once a second',
  }),
  read('conflicts, search', () => '/conflicts/list?search=Entry%207', {
    user: 0,
    reason: 'a part of a name has no index: all names are looked through',
  }),
  read('conflicts of a game', ({ busyGame }) => `/conflicts/by-game/${busyGame}`, { user: 0 }),
  read('notifications', () => '/notifications', { user: 1, reason: COUNTED }),
  read('royal games by their ids', ({ royalGames }) => `/games/by-ids?_ids=${royalGames.slice(0, 100).join(',')}`),
  read('requests, own', () => '/requests/mine', { user: 1 }),
  read('requests, queue', () => '/requests?status=pending', { user: 0, reason: COUNTED_WHOLE }),
  read('staff log', () => '/staff-actions', { user: 0, reason: COUNTED_WHOLE }),
  read('staff log of an admin, one kind', ({ admin }) => `/staff-actions?admin=${admin}&kind=comment`, {
    user: 0,
    reason: COUNTED_WHOLE,
  }),
  write('new comment', 'POST', () => '/comments', { body: ({ busyGame }) => ({ gameId: busyGame, ...TEXT }) }),
  write('reply', 'POST', () => '/comments', {
    body: ({ busyGame, busyComment }) => ({ gameId: busyGame, parentId: busyComment, ...TEXT }),
  }),
  write('edit', 'PATCH', ({ ownComment }) => `/comments/${ownComment}`, {
    by: 'admin',
    body: (_data, sample) => ({ body: `<p>Edit ${sample}</p>` }),
  }),
  write('hiding and showing', 'PATCH', ({ ownComment }) => `/comments/${ownComment}/status`, {
    by: 'admin',
    body: (_data, sample) => ({ status: sample % 2 === 0 ? 'hidden' : 'visible' }),
  }),
  write('deletion', 'DELETE', ({ otherComments }, sample) => `/comments/${otherComments[sample]}`, { by: 'admin' }),
  write('like taken back, of many', 'DELETE', ({ busyComment }) => `/comments/${busyComment}/like`, {
    reason: LIKED_BY_MANY,
  }),
  write('like among many', 'PUT', ({ busyComment }) => `/comments/${busyComment}/like`, { reason: LIKED_BY_MANY }),
  write('report', 'POST', ({ busyComment }) => `/comments/${busyComment}/report`),
  write('request', 'POST', () => '/requests', {
    body: (_data, sample) => ({ kind: 'character', action: 'add', payload: { name: `Somebody ${sample}` } }),
  }),
  write('decision of a conflict', 'POST', (_data, sample) => `/conflicts/vndb/v${3 * sample + 1}/decision`, {
    by: 'admin',
    body: () => ({ gameId: null }),
    reason: 'a count of what waits, asked for at most once a second, may fall into its time',
  }),
  ask('royal list of 400', 'royal:sync', () => ({})),
  ask('royal game added', 'royal:add', ({ otherGames }, sample) => ({ gameIds: [otherGames[sample]] })),
  ask('royal game moved', 'royal:move', ({ royalGames }, sample) => ({ gameId: royalGames[sample], before: null })),
]
