import { expect, it, vi } from 'vitest'
import { createApprovalRunner } from '#lib/domain/requests/approval/approval-runner'
import { captureLog } from '../../../../support/service/capture-log.ts'

const STOPPING = { code: 'UNAVAILABLE', message: 'Service Unavailable' }
const TOO_SLOW = { code: 'UNAVAILABLE', message: 'The approval took longer than 5 minutes and was rolled back' }

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
const create = (limits: Parameters<typeof createApprovalRunner>[0] = {}) => {
  const { log, lines } = captureLog()
  const runner = createApprovalRunner({ retryMs: 1, ...limits })
  return { runner, lines, cleaningUp: { task: 'cleaning up', log } }
}

it('an approval is aborted at its deadline with the sentence that its admin reads', async () => {
  const { runner } = create({ deadlineMs: 20 })
  await expect(runner.run(untilAborted)).rejects.toMatchObject(TOO_SLOW)
})

it('an approval is refused when the service is stopping', async () => {
  const { runner } = create()
  await runner.stop()
  const work = vi.fn<() => Promise<void>>()
  await expect(runner.run(work)).rejects.toMatchObject(STOPPING)
  expect(work).not.toHaveBeenCalled()
})

it('a failed task is retried until it succeeds, with a log line each time', async () => {
  const { runner, lines, cleaningUp } = create()
  const work = vi.fn<() => Promise<void>>()
  for (let times = 0; times < 3; times++) work.mockRejectedValueOnce(new Error('down'))
  runner.retry(cleaningUp, work)
  await vi.waitFor(() => expect(lines).toHaveLength(4), 10_000)
  expect(work).toHaveBeenCalledTimes(4)
  expect(lines.map(({ msg, task }) => `${task}: ${msg}`)).toEqual([
    ...Array.from({ length: 3 }, () => 'cleaning up: retry failed'),
    'cleaning up: retry succeeded',
  ])
  await runner.stop()
  expect(work).toHaveBeenCalledTimes(4)
})

it('a failed task is tried once more when the service stops, and then left', async () => {
  const { runner, cleaningUp } = create({ retryMs: 60_000 })
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('down'))
  runner.retry(cleaningUp, work)
  await runner.stop()
  expect(work).toHaveBeenCalledTimes(1)
})

it('a failed task is tried once also where it failed while the service was stopping', async () => {
  const { runner, cleaningUp } = create({ retryMs: 60_000 })
  const work = vi.fn<() => Promise<void>>().mockResolvedValue(undefined)
  const running = runner.run((signal) => untilAborted(signal).finally(() => runner.retry(cleaningUp, work)))
  const refused = expect(running).rejects.toMatchObject(STOPPING)
  await runner.stop()
  expect(work).toHaveBeenCalledTimes(1)
  await refused
})
