import { expect, test } from 'vitest'
import { COMMENT_BODY_MAX } from '#lib/contract/limits'
import { CreateRequestBody } from '#lib/contract/requests'
import { sanitizeBody } from '#lib/domain/markup/sanitize-body'
import characters from '../../../../lib/ops/seed/data/characters.json' with { type: 'json' }
import comments from '../../../../lib/ops/seed/data/comments.json' with { type: 'json' }
import conflicts from '../../../../lib/ops/seed/data/conflicts.json' with { type: 'json' }
import requests from '../../../../lib/ops/seed/data/content-requests.json' with { type: 'json' }
import games from '../../../../lib/ops/seed/data/games.json' with { type: 'json' }
import notifications from '../../../../lib/ops/seed/data/notifications.json' with { type: 'json' }
import platforms from '../../../../lib/ops/seed/data/platforms.json' with { type: 'json' }
import reports from '../../../../lib/ops/seed/data/reports.json' with { type: 'json' }
import staffActions from '../../../../lib/ops/seed/data/staff-actions.json' with { type: 'json' }
import users from '../../../../lib/ops/seed/data/users.json' with { type: 'json' }

// What the service answers of the rows is parsed by its contract in the other file; the rules here hold the rows together.

const TABLES = {
  ...{ platforms, games, characters, conflicts, users },
  ...{ comments, reports, requests, notifications, staffActions },
}
const names = Object.values(TABLES).flatMap((rows) => rows.map(({ _id }) => _id))

const repeated = (values: readonly unknown[]) => values.filter((value, index) => values.indexOf(value) !== index)

test('rows have names of their own, and name each other only', () => {
  expect(repeated(names)).toEqual([])
  const named = [...JSON.stringify(TABLES).matchAll(/[@#]([a-z-]+\/[a-z0-9-]+)/g)].map(([, name]) => `@${name}`)
  expect(new Set(named.filter((name) => !name.startsWith('@ago/')))).toEqual(new Set(names))
})

test.each([
  ['IGDB ids of platforms', platforms.map((row) => ('igdbId' in row ? row.igdbId : null))],
  ['VNDB ids of platforms', platforms.map((row) => ('vndbId' in row ? row.vndbId : null))],
  ['RetroAchievements ids of platforms', platforms.map((row) => ('raConsoleId' in row ? row.raConsoleId : null))],
  ['IGDB ids of games', games.map((row) => ('igdb' in row ? row.igdb?.gameId : null))],
  ['VNDB ids of games', games.map((row) => ('vndb' in row ? row.vndb?.vnId : null))],
  ['HowLongToBeat ids of games', games.map((row) => ('hltb' in row ? row.hltb?.hltbId : null))],
])('%s are unique', (_, values) => {
  const present = values.filter((value) => value != null)
  expect(present.length).toBeGreaterThan(2)
  expect(repeated(present)).toEqual([])
})

test('comments are in the form that posting gives them, answer older ones of the same game and are liked by others', () => {
  const minutes = (time: string) => Number(time.replace('@ago/', ''))
  for (const { _id, body, status, gameId, userId, likedBy, replyToId, createdAt } of comments) {
    expect(body === '' ? '' : sanitizeBody(body), _id).toBe(body)
    expect(body === '', _id).toBe(status === 'deleted')
    expect(body.length, _id).toBeLessThanOrEqual(COMMENT_BODY_MAX)
    expect(likedBy, _id).not.toContain(userId)
    if (status !== 'visible') expect(likedBy, _id).toEqual([])
    if (replyToId === null) continue
    const answered = comments.find((comment) => comment._id === replyToId)
    expect(answered?.gameId, _id).toBe(gameId)
    expect(minutes(answered?.createdAt ?? ''), _id).toBeGreaterThan(minutes(createdAt))
  }
  expect(comments.map(({ status }) => status)).toEqual(expect.arrayContaining(['hidden', 'deleted']))
  expect(comments.some(({ isSpoiler }) => isSpoiler)).toBe(true)
})

test.each(requests)('$_id is what a user may send', (request) => {
  const { kind, action, targetId, payload, sources, note } = request
  const sent = {
    kind,
    action,
    ...(targetId !== null && { targetId }),
    payload,
    sources,
    ...(note !== null && { note }),
  }
  const toId = (name: string) => Buffer.from(name).toString('hex').slice(-24).padStart(24, '0')
  const body: unknown = JSON.parse(JSON.stringify(sent).replace(/[@#][a-z]+\/[a-z0-9-]+/g, toId))
  expect(CreateRequestBody.parse(body)).toMatchObject({ payload: Object(body).payload, sources })
})
