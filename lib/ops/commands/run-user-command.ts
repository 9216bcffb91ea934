import { parseArgs } from 'node:util'
import { StartError } from '../../base/errors.ts'
import type { StaffDeps } from '../../domain/staff/deps.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { openCommandDatabase } from './command-database.ts'

interface UserCommand {
  usage: string
  flags: readonly string[]
  /** Returns the line to print. */
  run(deps: StaffDeps, input: { userName: string; flags: ReadonlySet<string> }): Promise<string>
}

function readArguments({ usage, flags }: UserCommand) {
  try {
    const options = Object.fromEntries(flags.map((flag) => [flag, { type: 'boolean' as const }]))
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const [userName, ...others] = positionals.map((name) => name.trim())
    if (userName && others.length === 0) return { userName, flags: new Set(Object.keys(values)) }
  } catch {
    // An unknown option. The usage lists the valid ones.
  }
  throw new StartError(`Usage: ${usage}`)
}

/**
 * Runs a command about one user against the database of this installation. A failure prints one line on standard error and
 * sets exit code 1.
 */
export async function runUserCommand(command: UserCommand): Promise<void> {
  try {
    const input = readArguments(command)
    const { db, close } = await openCommandDatabase({ mustExist: true })
    try {
      console.log(await command.run({ db, log: createLogger('warn', process.stderr), clock: () => new Date() }, input))
    } finally {
      await close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
