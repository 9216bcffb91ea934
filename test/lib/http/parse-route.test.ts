import { describe, expect, test } from 'vitest'
import { parseRoute } from '../../../lib/http/parse-route.ts'

describe('parseRoute', () => {
  test.each([
    ['comments.post.ts', 'POST', '/comments'],
    ['comments/[id].delete.ts', 'DELETE', '/comments/:id'],
    ['comments/[id]/like.put.ts', 'PUT', '/comments/:id/like'],
    ['games/[gameId]/comments.get.js', 'GET', '/games/:gameId/comments'],
    ['auth/refresh-token.post.ts', 'POST', '/auth/refresh-token'],
    ['openapi.json.get.ts', 'GET', '/openapi.json'],
    ['comments/[id]/status.patch.ts', 'PATCH', '/comments/:id/status'],
    ['a/[b]/[c].get.ts', 'GET', '/a/:b/:c'],
    ['get.get.ts', 'GET', '/get'],
  ])('%s is %s %s', (file, method, path) => {
    expect(parseRoute(file)).toEqual({ method, path })
  })

  test.each([
    'README.md',
    'comments.ts',
    'comments.head.ts',
    'comments.GET.ts',
    'comments.get.test.ts',
    'Comments.get.ts',
    'comments/[].get.ts',
    'comments/a[id].get.ts',
    'comments/under_score.get.ts',
    'comments/../users.get.ts',
    'comments/[id]/[id].get.ts',
  ])('%s is not the name of a function', (file) => {
    expect(parseRoute(file)).toBeNull()
  })
})
