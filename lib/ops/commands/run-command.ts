import { type ParseArgsConfig, parseArgs } from 'node:util'
import { StartError } from '../../base/errors.ts'
import type { StaffDeps } from '../../domain/staff/deps.ts'
import { createLogger } from '../../infrastructure/observability/log.ts'
import { type CommandDatabase, type DatabaseOptions, openCommandDatabase } from './command-database.ts'

type Options = NonNullable<ParseArgsConfig['options']>
type Arguments<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>

/** Shows how far a command is: in place on a terminal, elsewhere a line every 10 s. */
type Show = (describe: () => string) => void

export interface CommandDeps extends StaffDeps, Pick<CommandDatabase, 'config' | 'uri'> {
  show: Show
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
  run(deps: CommandDeps, input: Input): Promise<string>
}

const EVERY_MS = { terminal: 250, elsewhere: 10_000 }

/** Writes to standard error, because standard output is for the result of the command. */
function createProgress(): { show: Show; end(): void } {
  const { isTTY } = process.stderr
  let shownAt = isTTY ? Number.NEGATIVE_INFINITY : performance.now()
  return {
    show(describe) {
      if (performance.now() - shownAt < (isTTY ? EVERY_MS.terminal : EVERY_MS.elsewhere)) return
      shownAt = performance.now()
      process.stderr.write(isTTY ? `\r\x1b[K${describe()}` : `${describe()}\n`)
    },
    end() {
      if (isTTY) process.stderr.write('\r\x1b[K')
    },
  }
}

function readArguments<O extends Options, Input>({ usage, options, read }: Syntax<O, Input>): Input {
  let input: Input | null = null
  try {
    const { positionals, values } = parseArgs({ options, allowPositionals: true })
    input = read({ words: positionals.map((word) => word.trim()), values })
  } catch (error) {
    // An unknown option. The usage lists the valid ones.
    if (error instanceof StartError) throw error
  }
  if (input === null) throw new StartError(`Usage: ${usage}`)
  return input
}

export const readName = <Input>([name, ...others]: string[], toInput: (name: string) => Input): Input | null =>
  name && others.length === 0 ? toInput(name) : null

/** Runs a command that opens its database itself. Prints its result, or its failure in one line with exit code 1. */
export async function runAlone<O extends Options, Input>(
  syntax: Syntax<O, Input>,
  run: (input: Input, show: Show) => Promise<string>,
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
