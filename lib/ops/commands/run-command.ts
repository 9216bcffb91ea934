import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Config } from '../../base/config.ts'
import { StartError } from '../../base/errors.ts'
import type { StaffDeps } from '../../domain/staff/deps.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { openCommandDatabase } from './command-database.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>

interface Command<O extends Options, Input> {
  usage: string
  options: O
  /** Returns null for arguments that the usage does not allow. */
  read(args: { words: string[]; values: Arguments<O>['values'] }): Input | null
  /** Returns what to print. */
  run(deps: StaffDeps & { config: Config }, input: Input): Promise<string>
}

function readArguments<O extends Options, Input>({ usage, options, read }: Command<O, Input>): Input {
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    const input = read({ words: positionals.map((word) => word.trim()), values })
    if (input !== null) return input
  } catch {
    // An unknown option. The usage lists the valid ones.
  }
  throw new StartError(`Usage: ${usage}`)
}

/** Reads a name as the only argument of a command. */
export const readName = <Input>([name, ...others]: string[], toInput: (name: string) => Input): Input | null =>
  name && others.length === 0 ? toInput(name) : null

/**
 * Runs a command against the database of this installation. A failure prints one line on standard error and sets exit
 * code 1.
 */
export async function runCommand<O extends Options, Input>(command: Command<O, Input>): Promise<void> {
  try {
    const input = readArguments(command)
    const { config, db, close } = await openCommandDatabase({ mustExist: true })
    try {
      const log = createLogger('warn', process.stderr)
      console.log(await command.run({ config, db, log, clock: () => new Date() }, input))
    } finally {
      await close()
    }
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
