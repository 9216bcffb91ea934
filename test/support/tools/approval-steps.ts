import { readFileSync } from 'node:fs'

interface ApprovalStep {
  step: string
  /** The outcome of an approval that fails at the step. */
  failure: 'rolled back' | 'stands' | 'tried again'
  /** True when the documents of a killed process stay locked for a while. */
  isInTransaction: boolean
}

const README = new URL('../../../lib/domain/requests/README.md', import.meta.url)
const ROW = /^\| (?<steps>`approval:.*?`) \| (?<failure>[^|]+) \| (?<kill>[^|]+) \|/gm

/** The steps of an approval as the table of lib/domain/requests lists them, in the order in which they are passed. */
export const APPROVAL_STEPS: readonly ApprovalStep[] = [...readFileSync(README, 'utf8').matchAll(ROW)].flatMap(
  ({ groups: { steps = '', failure = '', kill = '' } = {} }) =>
    steps.split(', ').map((step) => {
      if (failure !== 'rolled back' && failure !== 'stands' && failure !== 'tried again') throw new Error(failure)
      return { step: step.replaceAll('`', ''), failure, isInTransaction: kill.includes('transaction') }
    }),
)
