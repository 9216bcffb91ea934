import { runDoctor as examine } from '#lib/ops/doctor/run-doctor'

const NOWHERE = 'http://127.0.0.1:1'

/**
 * Makes the checks of `npm run doctor`, and returns its lines about some of them without those that are ok. The SDK of the
 * storage asks the process for its credentials later: who gives others runs the command.
 */
export async function runDoctor(about: RegExp, env: Record<string, string>) {
  const findings = examine({ areObjectsCompared: false })
  const own = process.env
  // It is read before anything is waited for.
  process.env = { PORT: '1', VNDB_API_URL: NOWHERE, ...env }
  const first = findings.next()
  process.env = own
  const lines: string[] = []
  for (let next = await first; !next.done; next = await findings.next()) {
    const { state, check, text } = next.value
    lines.push(`${state.padEnd(4)}  ${check}: ${text}`)
  }
  return { bad: lines.filter((line) => about.test(line) && !line.startsWith('ok ')), text: lines.join('\n') }
}
