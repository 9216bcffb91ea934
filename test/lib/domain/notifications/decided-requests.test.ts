import { expect, it } from 'vitest'
import { createCaller } from '../../../support/clients/caller.ts'
import { insertUser } from '../../../support/rows/rows.ts'
import { useApprovalsScene } from '../../../support/scenes/approvals-scene.ts'

const scene = await useApprovalsScene()

let users = 0
async function author() {
  const { deps, baseUrl } = scene.service
  const user = await insertUser(deps, { userName: `author-${++users}` })
  return { userId: user._id, bob: createCaller({ baseUrl, user }) }
}

it('the author of a request is notified of its approval, with applied, left out and failed fields', async () => {
  const { bob, userId } = await author()
  const payload = { name: 'Wick', gender: 'unknown', species: 'Flame', mugShot: scene.host.link('missing') }
  const request = await scene.insert({ kind: 'character', payload, userId })
  await scene.decide(request, { fields: ['name', 'species', 'mugShot'], reason: 'Thanks' })

  const { items, unreadCount } = (await bob.get('/notifications')).body
  expect(unreadCount).toBe(1)
  expect(items).toMatchObject([
    {
      type: 'request-decided',
      actors: [],
      actorsCount: 0,
      payload: {
        count: 1,
        requestId: String(request._id),
        gameId: null,
        commentId: null,
        excerpt: null,
        requestKind: 'character',
        requestName: 'Wick',
        decision: 'approve',
        status: null,
        appliedFields: ['name', 'species'],
        leftOut: ['gender'],
        failedFields: ['mugShot'],
        reason: 'Thanks',
      },
    },
  ])
})

it('the author of a request is notified of its rejection once, with the reason, after several attempts', async () => {
  const { bob, userId } = await author()
  const request = await scene.insert({ payload: { name: 'Nothing' }, userId })
  const reject = () => scene.decide(request, { decision: 'reject', reason: 'No such game' })
  const answers = await Promise.all([reject(), reject(), reject()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await bob.get('/notifications')).body.items).toMatchObject([
    {
      payload: {
        requestName: 'Nothing',
        decision: 'reject',
        reason: 'No such game',
        appliedFields: [],
        leftOut: [],
      },
    },
  ])
})
