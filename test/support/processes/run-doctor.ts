import { runDoctor as examine } from '#lib/ops/doctor/run-doctor'

const NOWHERE = 'http://127.0.0.1:1'

/**
 * Makes the checks of `npm run doctor`, and returns the lines about some of them that are not ok. The SDK of the storage
 * reads credentials from the process later, so that a test with other credentials runs the command instead.
 */
export async function runDoctor(about: RegExp, env: Record<string, string>) {
  const findings = examine({ areObjectsCompared: false })
  const own = process.env
  // The configuration is read before the first wait.
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
