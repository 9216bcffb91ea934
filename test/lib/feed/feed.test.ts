import { expect, it, vi } from 'vitest'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createFeed } from '../../../lib/feed/feed.ts'
import { createMetrics } from '../../../lib/observability/metrics.ts'
import { captureLog } from '../../support/service/capture-log.ts'

it('says once why it cannot be opened', async () => {
  const db = openDatabase('mongodb://127.0.0.1:1/away')
  const { log, lines } = captureLog()
  const feed = createFeed({ instance: 'one', log, metrics: createMetrics(), connect: db.connectFeed })
  await feed.open({ onChange: () => {}, onHistoryLost: () => {} })
  expect(feed.isLive()).toBe(false)
  const told = lines.filter(({ msg }) => msg === 'the feed cannot be opened')
  expect(told).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: expect.any(String) }) })])
  await vi.waitFor(() => feed.close())
  await db.close()
}, 30_000)
