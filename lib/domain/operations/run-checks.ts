import type { Finding } from '../../contract/measurements.ts'
import { describeOutage, isDatabaseUnreachable } from '../../infrastructure/db/is-database-unreachable.ts'

type Verdict = Omit<Finding, 'check'>

/** Checks by their names. A check that throws has failed. */
export type Checks = Readonly<Record<string, () => Verdict | Promise<Verdict>>>

export const ok = (text: string): Verdict => ({ state: 'ok', text })
/** The text says what to do. */
export const warn = (text: string): Verdict => ({ state: 'warn', text })
export const fail = (text: string): Verdict => ({ state: 'fail', text })

const SHOWN = 5

/** Lists the first of some names, and how many there are beside them. */
export const listSome = (names: readonly string[]) =>
  [...names.slice(0, SHOWN), ...(names.length > SHOWN ? [`${names.length - SHOWN} more`] : [])].join(', ')

/** Describes an error, with the code of the network where it has one. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? `${error.message} (${cause.code})` : error.message
}

export const runChecks = (checks: Checks): Promise<Finding[]> =>
  Promise.all(
    Object.entries(checks).map(async ([check, run]) => {
      try {
        return { check, ...(await run()) }
      } catch (error) {
        const describe = isDatabaseUnreachable(error) ? describeOutage : describeError
        return { check, ...fail(describe(error)) }
      }
    }),
  )
