import { runDoctor } from '../doctor/run-doctor.ts'
import { runAlone } from './run-command.ts'

await runAlone(
  {
    usage: 'npm run doctor -- [--json]',
    options: { json: { type: 'boolean' } },
    read: ({ words, values }) => (words.length === 0 ? values : null),
  },
  async ({ json }) => {
    const findings = await runDoctor()
    if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    if (json) return JSON.stringify(findings, null, 2)
    return findings.map(({ state, check, text }) => `${state.padEnd(4)}  ${check}: ${text}`).join('\n')
  },
)
