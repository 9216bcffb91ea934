import type { Finding } from '../../contract/measurements.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { runAlone } from './run-command.ts'

const flag = { type: 'boolean' } as const

await runAlone(
  {
    usage: 'npm run doctor -- [--json] [--objects]',
    options: { json: flag, objects: flag },
    read: ({ words, values }) => (words.length === 0 ? values : null),
  },
  async ({ json, objects }) => {
    const findings: Finding[] = []
    for await (const finding of runDoctor({ areObjectsCompared: objects === true })) {
      findings.push(finding)
      if (!json) console.log(`${finding.state.padEnd(4)}  ${finding.check}: ${finding.text}`)
    }
    if (findings.some(({ state }) => state === 'fail')) process.exitCode = 1
    return json ? JSON.stringify(findings, null, 2) : ''
  },
)
