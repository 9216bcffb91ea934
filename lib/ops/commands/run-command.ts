import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StartError } from '../../base/errors.ts'
import type { StaffDeps } from '../../domain/staff/deps.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { type CommandDatabase, type DatabaseOptions, openCommandDatabase } from './command-database.ts'
import { createProgress, type Progress } from './progress.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>

export interface CommandDeps extends StaffDeps, Pick<CommandDatabase, 'config' | 'uri'> {
  show: Progress['show']
}

interface Syntax<O extends Options, Input> {
  usage: string
  options: O
  /** Returns null for arguments that the usage does not allow. @throws StartError with one sentence */
  read(args: { words: string[]; values: Arguments<O>['values'] }): Input | null
}

interface Command<O extends Options, Input> extends Syntax<O, Input> {
  /** By default the command needs a database that exists. */
  database?: DatabaseOptions
  /** Returns what to print. */
  run(deps: CommandDeps, input: Input): Promise<string>
}

function parse<O extends Options>(options: O): Arguments<O> | null {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    // An unknown option. The usage lists the valid ones.
    return null
  }
}

function readArguments<O extends Options, Input>({ usage, options, read }: Syntax<O, Input>): Input {
  const args = parse(options)
  const input = args && read({ words: args.positionals.map((word) => word.trim()), values: args.values })
  if (input === null) throw new StartError(`Usage: ${usage}`)
  return input
}

/** Reads a name as the only argument of a command. */
export const readName = <Input>([name, ...others]: string[], toInput: (name: string) => Input): Input | null =>
  name && others.length === 0 ? toInput(name) : null

/** Runs a command that opens its database itself. Prints its result, or its failure in one line with exit code 1. */
export async function runAlone<O extends Options, Input>(
  syntax: Syntax<O, Input>,
  run: (input: Input, show: Progress['show']) => Promise<string>,
): Promise<void> {
  const { show, end } = createProgress()
  try {
    const result = await run(readArguments(syntax), show)
    end()
    if (result !== '') console.log(result)
  } catch (error) {
    end()
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}

/** Runs a command against the database of this installation; see `runAlone`. */
export async function runCommand<O extends Options, Input>(command: Command<O, Input>): Promise<void> {
  await runAlone(command, async (input, show) => {
    const { config, db, uri, close } = await openCommandDatabase(command.database ?? { mustExist: true })
    try {
      const log = createLogger('warn', process.stderr)
      return await command.run({ config, db, uri, log, clock: () => new Date(), show }, input)
    } finally {
      await close()
    }
  })
}
