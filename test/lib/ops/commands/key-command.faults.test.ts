import { expect, it } from 'vitest'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()
const key = (...args: string[]) => runCommand('key-command', args, { MONGODB_URI: service.mongodbUri })

it('creates a key, shows it once, lists and revokes it, with a staff action for each change', async () => {
  expect(await key('list')).toEqual({ code: 0, stdout: 'There are no service keys\n', stderr: '' })
  const created = await key('create', 'parser', '--scope', 'users,entries')
  expect(created).toMatchObject({ code: 0, stderr: '' })
  const [, text] = created.stdout.trimEnd().split('\n')
  expect(text).toMatch(/^ghk_[\w-]{43}$/)

  expect(await key('create', 'parser', '--scope', 'entries')).toEqual(
    refusedWith('There is a service key parser already\n'),
  )
  const { stdout } = await key('list')
  expect(stdout).toMatch(/^parser {2}entries,users {2}created 2\S+Z {2}never used\n$/)
  expect(stdout).not.toContain(text)

  expect(await key('revoke', 'parser')).toMatchObject({ code: 0, stdout: 'The service key parser is revoked\n' })
  expect(await key('revoke', 'parser')).toEqual(refusedWith('There is no service key parser\n'))
  // Each command is a process of its own, so ids of one second have no order.
  const actions = await service.db.staffActions.find({}, { sort: { at: 1 } }).toArray()
  expect(actions.map(({ admin, action }) => [admin, action])).toEqual([
    [null, 'key-created'],
    [null, 'key-revoked'],
  ])
})

it.each([
  ['an unknown scope', ['create', 'parser', '--scope', 'users,admin']],
  ['an empty scope', ['create', 'parser', '--scope', '']],
  ['a name with a space', ['create', 'a parser', '--scope', 'users']],
  ['a further word', ['revoke', 'parser', 'other']],
  ['an unknown verb', ['show', 'parser']],
])('refuses %s with its usage, and changes nothing', async (_, args) => {
  expect(await key(...args)).toEqual(refusedWith(/^Usage: npm run key -- create <name> /))
  expect(await service.db.serviceKeys.countDocuments()).toBe(0)
})
