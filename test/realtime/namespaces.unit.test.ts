import { expect, it } from 'vitest'
import { namespaces } from '../../realtime/namespaces.ts'

it.each(namespaces.map((served) => [served.facts.path, served] as const))(
  '%s answers every request of the contract and no other',
  (_path, { facts, requests }) => {
    expect(Object.keys(requests).toSorted()).toEqual(Object.keys(facts.requests).toSorted())
  },
)

it('everybody may read discussions; lists and notifications take a session, conflicts the role', () => {
  expect(namespaces.map(({ facts, admits }) => [facts.path, admits])).toEqual([
    ['/comments', 'anyone'],
    ['/royal', 'user'],
    ['/notifications', 'user'],
    ['/conflicts', 'admin'],
  ])
})
