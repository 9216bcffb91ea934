import type { GrownData } from './growth-data.ts'

/** A request over HTTP. */
interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Which of the users asks; the first is an admin. */
  user?: number
  body?: object
}

/** A request over the socket of `/royal`. */
interface SocketCall {
  event: 'royal:sync' | 'royal:add' | 'royal:move'
  payload: object
  user: number
}

export interface Case {
  name: string
  call(data: GrownData, sample: number): Call | SocketCall
  /** Why it grows by more than the goal. */
  reason?: string
}

const read = (
  name: string,
  path: (data: GrownData) => string,
  more: { user?: number; reason?: string } = {},
): Case => ({
  name,
  ...(more.reason && { reason: more.reason }),
  call: (data) => ({ method: 'GET', path: path(data), ...(more.user !== undefined && { user: more.user }) }),
})
const body = { body: '<p>That trial scene!</p>' }
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
  {
    name: 'new comment',
    call: ({ busyGame }, sample) => ({
      method: 'POST',
      path: '/comments',
      user: sample,
      body: { gameId: busyGame, ...body },
    }),
  },
  {
    name: 'reply',
    call: ({ busyGame, busyComment }, sample) => ({
      method: 'POST',
      path: '/comments',
      user: sample,
      body: { gameId: busyGame, parentId: busyComment, ...body },
    }),
  },
  {
    name: 'edit',
    call: ({ ownComment }, sample) => ({
      method: 'PATCH',
      path: `/comments/${ownComment}`,
      user: 0,
      body: { body: `<p>Edit ${sample}</p>` },
    }),
  },
  {
    name: 'hiding and showing',
    call: ({ ownComment }, sample) => ({
      method: 'PATCH',
      path: `/comments/${ownComment}/status`,
      user: 0,
      body: { status: sample % 2 === 0 ? 'hidden' : 'visible' },
    }),
  },
  {
    name: 'deletion',
    call: ({ otherComments }, sample) => ({ method: 'DELETE', path: `/comments/${otherComments[sample]}`, user: 0 }),
  },
  {
    name: 'like taken back, of many',
    call: ({ busyComment }, sample) => ({ method: 'DELETE', path: `/comments/${busyComment}/like`, user: sample + 1 }),
    reason: LIKED_BY_MANY,
  },
  {
    name: 'like among many',
    call: ({ busyComment }, sample) => ({ method: 'PUT', path: `/comments/${busyComment}/like`, user: sample + 1 }),
    reason: LIKED_BY_MANY,
  },
  {
    name: 'report',
    call: ({ busyComment }, sample) => ({ method: 'POST', path: `/comments/${busyComment}/report`, user: sample + 1 }),
  },
  {
    name: 'request',
    call: (_data, sample) => ({
      method: 'POST',
      path: '/requests',
      user: sample + 1,
      body: { kind: 'character', action: 'add', payload: { name: `Somebody ${sample}` }, sources: [] },
    }),
  },
  {
    name: 'decision of a conflict',
    call: (_data, sample) => ({
      method: 'POST',
      path: `/conflicts/vndb/v${3 * sample + 1}/decision`,
      user: 0,
      body: { gameId: null },
    }),
    reason: 'a count of what waits, asked for at most once a second, may fall into its time',
  },
  { name: 'royal list of 400', call: () => ({ event: 'royal:sync', payload: {}, user: 0 }) },
  {
    name: 'royal game added',
    call: ({ otherGames }, sample) => ({ event: 'royal:add', payload: { gameIds: [otherGames[sample]] }, user: 0 }),
  },
  {
    name: 'royal game moved',
    call: ({ royalGames }, sample) => ({
      event: 'royal:move',
      payload: { gameId: royalGames[sample], before: null },
      user: 0,
    }),
  },
]
