import { expect, test } from 'vitest'
import type { Change } from '#lib/infrastructure/events/change'
import { type EventName, toEvents } from '#lib/infrastructure/events/to-events'

type Values = Change['values']

const updated = (collection: string, fields: string[], values: Values = {}) => ({
  collection,
  type: 'update',
  fields: [...fields, 'rev', 'sentBy'],
  values,
})
const whole = (collection: string, type: string, values: Values = {}) => ({ collection, type, fields: null, values })

const OF_IMPORT = { instance: 'import', socketId: undefined }

const TABLE: [what: string, change: Parameters<typeof toEvents>[0], events: EventName[]][] = [
  ['a new comment', whole('comments', 'insert', { status: 'visible', likesCount: 0 }), ['comment:created']],
  ['a new comment of an import', { ...whole('comments', 'insert'), sender: OF_IMPORT }, []],
  ['a like of an import', { ...updated('comments', ['likesCount']), sender: OF_IMPORT }, []],
  ['a hidden comment', updated('comments', ['status'], { status: 'hidden' }), ['comment:status']],
  ['a deleted comment', updated('comments', ['status', 'body'], { status: 'deleted' }), ['comment:status']],
  ['a comment shown again', updated('comments', ['status', 'reportsCount']), ['comment:status', 'reports:changed']],
  ['another text', updated('comments', ['body', 'updatedAt']), ['comment:updated']],
  ['another flag', updated('comments', ['isSpoiler', 'updatedAt']), ['comment:updated']],
  ['a like', updated('comments', ['likedBy', 'likesCount'], { likesCount: 1 }), ['comment:likes']],
  ['the count of a thread', updated('comments', ['repliesCount'], { repliesCount: 1 }), []],
  ['a report', updated('comments', ['reportedBy', 'reportsCount']), ['reports:changed']],
  ['a kept comment', updated('comments', ['status', 'heldAt']), ['comment:status', 'reports:changed']],
  [
    'a text and a like of another program',
    updated('comments', ['body', 'likesCount']),
    ['comment:updated', 'comment:likes'],
  ],
  [
    'a comment stored as a whole',
    whole('comments', 'replace', { status: 'visible', likesCount: 2 }),
    ['comment:status', 'comment:updated', 'comment:likes', 'reports:changed'],
  ],
  ['a comment that is gone', whole('comments', 'delete'), []],
  ['a new notification', whole('notifications', 'insert'), ['notification:new', 'notifications:count']],
  [
    'a notification that grew',
    updated('notifications', ['count', 'updatedAt']),
    ['notification:new', 'notifications:count'],
  ],
  ['a notification that was read', updated('notifications', ['isRead']), ['notifications:count']],
  ['a notification that is gone', whole('notifications', 'delete'), []],
  ['a royal list', updated('users', ['royalGames', 'updatedAt']), ['royal:changed']],
  ['a user stored as a whole', whole('users', 'replace'), ['royal:changed']],
  ['a new user', whole('users', 'insert'), []],
  ['a role', updated('users', ['roles', 'updatedAt']), []],
  ['a match', updated('conflicts', ['decision', 'winner'], { decision: 'match' }), ['conflict:decided']],
  ['a skip', updated('conflicts', ['decision'], { decision: 'skip' }), ['conflict:decided']],
  [
    'a reopening',
    updated('conflicts', ['status', 'decision', 'candidates'], { status: 'pending', decision: null }),
    ['conflict:decided'],
  ],
  [
    'a decision that came back',
    updated('conflicts', ['decision', 'failure'], { decision: null }),
    ['conflicts:applied'],
  ],
  ['a written match', updated('conflicts', ['status'], { status: 'resolved' }), ['conflicts:applied']],
  ['a written skip', updated('conflicts', ['status', 'winner'], { status: 'absent' }), ['conflicts:applied']],
  ['a candidate', updated('conflicts', ['candidates']), []],
  ['a new conflict', whole('conflicts', 'insert', { status: 'pending', decision: null }), []],
  ['a new entry', whole('conflicts', 'insert', { decision: 'match', entryHash: 'a' }), ['conflicts:applied']],
  [
    'an automatic match of a waiting conflict',
    updated('conflicts', ['decision', 'entryHash'], { decision: 'match', entryHash: 'b' }),
    ['conflicts:applied'],
  ],
  [
    'a refreshed match',
    updated('conflicts', ['status', 'entryHash'], { status: 'pending', entryHash: 'b' }),
    ['conflicts:applied'],
  ],
  [
    'a refresh that failed',
    updated('conflicts', ['status', 'entryHash'], { status: 'resolved' }),
    ['conflicts:applied'],
  ],
  [
    'a reopened conflict stored as a whole',
    whole('conflicts', 'replace', { status: 'pending', decision: null }),
    ['conflict:decided'],
  ],
  [
    'a decided conflict stored as a whole',
    whole('conflicts', 'replace', { status: 'pending', decision: 'match' }),
    ['conflict:decided'],
  ],
  [
    'a settled conflict stored as a whole',
    whole('conflicts', 'replace', { status: 'resolved', decision: 'match' }),
    ['conflicts:applied'],
  ],
  ['a game', updated('games', ['status', 'body', 'royalGames', 'decision']), []],
  ['a collection of another program', updated('reviews', ['status', 'body']), []],
  ['a name of every object', updated('toString', ['status']), []],
]

test.each(TABLE)('%s', (_what, change, events) => {
  expect(toEvents(change)).toEqual(events)
})
