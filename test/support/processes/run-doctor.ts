import { runCommand } from './run-command.ts'

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1'

/** Runs `npm run doctor`, and returns its lines about some checks without those that are ok. */
export async function runDoctor(about: RegExp, env: Record<string, string>, ...args: string[]) {
  const settings = { PORT: '1', VNDB_API_URL: NOWHERE, ...env }
  const { code, stdout, stderr } = await runCommand('doctor-command', args, settings)
  const bad = stdout.split('\n').filter((line) => about.test(line) && !line.startsWith('ok '))
  return { code, bad, stdout, stderr }
}
