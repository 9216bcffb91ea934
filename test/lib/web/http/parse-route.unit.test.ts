import { expect, test } from 'vitest'
import { parseRoute } from '#lib/web/http/load-functions'

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
