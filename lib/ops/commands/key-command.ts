import { StartError } from '../../base/errors.ts'
import { createKey } from '../../domain/service-keys/create-key.ts'
import { revokeKey } from '../../domain/service-keys/revoke-key.ts'
import type { StaffDeps } from '../../domain/staff/deps.ts'
import { KEY_SCOPES } from '../../infrastructure/db/collections/service-keys.ts'
import { runCommand } from './run-command.ts'

const NAME = /^[\w.-]{1,60}$/

const readScopes = (text = '') => {
  const names = text.split(',').map((name) => name.trim())
  const scopes = KEY_SCOPES.filter((scope) => names.includes(scope))
  return scopes.length === new Set(names).size ? scopes : null
}

async function list({ db }: StaffDeps): Promise<string> {
  const keys = await db.serviceKeys.find({}, { sort: { _id: 1 } }).toArray()
  const lines = keys.map(({ _id, scopes, createdAt, lastUsedAt, lastAddress }) => {
    const use = lastUsedAt === null ? 'never used' : `last used ${lastUsedAt.toISOString()} from ${lastAddress}`
    return `${_id}  ${scopes.join(',')}  created ${createdAt.toISOString()}  ${use}`
  })
  return lines.length === 0 ? 'There are no service keys' : lines.join('\n')
}

type Input =
  | { verb: 'list' }
  | { verb: 'revoke'; name: string }
  | { verb: 'create'; name: string; scopes: typeof KEY_SCOPES }

await runCommand({
  usage: `npm run key -- create <name> --scope ${KEY_SCOPES.join(',')} | list | revoke <name>; a name has 1 to 60 letters, digits, _ - or .`,
  options: { scope: { type: 'string' } },

  read({ words: [verb, name = '', ...others], values: { scope } }): Input | null {
    const scopes = readScopes(scope)
    if (others.length > 0) return null
    if (verb === 'list' && name === '' && scope === undefined) return { verb }
    if (verb === 'revoke' && name !== '' && scope === undefined) return { verb, name }
    return verb === 'create' && NAME.test(name) && scopes ? { verb, name, scopes } : null
  },

  async run(deps, input) {
    if (input.verb === 'list') return await list(deps)
    const { name } = input
    if (input.verb === 'revoke') {
      if (!(await revokeKey(deps, input))) throw new StartError(`There is no service key ${name}`)
      return `The service key ${name} is revoked`
    }
    const key = await createKey(deps, input)
    if (key === null) throw new StartError(`There is a service key ${name} already`)
    return `The service key ${name}, which is shown only now:\n${key}`
  },
})
