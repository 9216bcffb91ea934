import { afterAll, expect, it, vi } from 'vitest'
import { startProgram } from '../support/processes/start-program.ts'
import { testProgram } from '../support/processes/test-programs.ts'
import { startApprovalsScene } from '../support/scenes/approvals-scene.ts'

const scene = await startApprovalsScene()
afterAll(() => scene.close())

it('a rejection that is killed before its staff action is recorded leaves neither, and can be repeated', async () => {
  const request = await scene.insert({ slot: 3 })
  const args = [testProgram('approve-and-die'), 'reject', request._id.toHexString(), 'rejection:written', '0']
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...scene.env }
  const { signal, printed } = await startProgram(process.execPath, args, { cwd: process.cwd(), env }).ended
  expect({ signal, printed }).toEqual({ signal: 'SIGKILL', printed: '' })
  expect(await scene.read(request)).toEqual(request)
  expect(await scene.service.db.staffActions.countDocuments()).toBe(0)

  // The database ends the transaction of the killed process after some seconds.
  const reject = () => scene.decide(request, { decision: 'reject', reason: 'No' })
  await vi.waitFor(async () => expect((await reject()).status).toBe(200), { timeout: 90_000, interval: 100 })
  expect(await scene.read(request)).toMatchObject({ status: 'rejected', reason: 'No' })
  expect(await scene.service.db.staffActions.countDocuments()).toBe(1)
})
