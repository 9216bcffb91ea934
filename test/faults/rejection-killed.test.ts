import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProgram } from '../support/processes/start-program.ts'
import { testProgram } from '../support/processes/test-programs.ts'
import { type ApprovalsScene, startApprovalsScene } from '../support/scenes/approvals-scene.ts'

let scene: ApprovalsScene
beforeAll(async () => {
  scene = await startApprovalsScene()
})
afterAll(() => scene.close())

it('a rejection that is killed before its staff action is recorded stands, without an entry', async () => {
  const request = await scene.insert({ slot: 3 })
  const args = [testProgram('approve-and-die'), 'reject', request._id.toHexString(), 'rejection:written', '0']
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, ...scene.env }
  const { signal, printed } = await startProgram(process.execPath, args, { cwd: process.cwd(), env }).ended
  expect({ signal, printed }).toEqual({ signal: 'SIGKILL', printed: '' })

  const rejected = await scene.read(request)
  expect(rejected).toMatchObject({ status: 'rejected', reason: 'No' })
  expect(rejected).not.toHaveProperty('slot')
  expect(await scene.service.db.staffActions.countDocuments()).toBe(0)
  expect((await scene.decide(request)).status).toBe(409)
  expect(await scene.service.db.staffActions.countDocuments()).toBe(0)
})
