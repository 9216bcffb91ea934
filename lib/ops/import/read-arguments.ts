import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { StartError } from '../../base/errors.ts'
import { type PartName, SITE_COLLECTIONS } from './import-run.ts'

const USAGE =
  'IMPORT_URI=mongodb://… npm run import -- [--write] [--only users,games,…] [--admins] [--report <file>] (or IMPORT_URI_FILE)'

/** A part by its name here or at the site. */
const NAMES = new Map<string, PartName>(
  // The keys of a constant object are known.
  (Object.entries(SITE_COLLECTIONS) as [PartName, string][]).flatMap(([name, from]) => [
    [name, name],
    [from, name],
  ]),
)
NAMES.set('requests', 'contentRequests')

function readIncluded(only: string | undefined): ReadonlySet<PartName> {
  const included = (only?.split(',') ?? [...NAMES.keys()]).map((name) => {
    const part = NAMES.get(name.trim())
    if (part === undefined) throw new StartError(`--only takes ${Object.keys(SITE_COLLECTIONS).join(', ')}`)
    return part
  })
  return new Set(included)
}

function readUri({ IMPORT_URI, IMPORT_URI_FILE }: NodeJS.ProcessEnv, argument: string | undefined): string {
  const uri = argument || IMPORT_URI || (IMPORT_URI_FILE && readFileSync(IMPORT_URI_FILE, 'utf8').trim())
  if (!uri) throw new StartError(`Usage: ${USAGE}`)
  if (!/^mongodb(\+srv)?:\/\/\S+$/.test(uri))
    throw new StartError('IMPORT_URI must start with mongodb:// or mongodb+srv://')
  return uri
}

/** @throws StartError in one line */
export function readImportArguments(environment: NodeJS.ProcessEnv, args: string[]) {
  const flag = { type: 'boolean', default: false } as const
  const text = { type: 'string' } as const
  const read = () => {
    try {
      return parseArgs({
        args,
        allowPositionals: true,
        options: { write: flag, admins: flag, only: text, report: text },
      })
    } catch {
      throw new StartError(`Usage: ${USAGE}`)
    }
  }
  const { values, positionals } = read()
  if (positionals.length > 1) throw new StartError(`Usage: ${USAGE}`)
  return {
    uri: readUri(environment, positionals[0]),
    isWriting: values.write,
    areAdminsKept: values.admins,
    included: readIncluded(values.only),
    report: values.report,
  }
}
