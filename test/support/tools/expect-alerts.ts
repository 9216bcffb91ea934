import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestService } from '../service/start-service.ts'
import { providePromtool } from './provide-debian-program.ts'

const execute = promisify(execFile)

export const ALERTS = join(import.meta.dirname, '../../../lib/ops/kit/alerts.yml')

const STEP_S = 60
const [BEFORE, SINCE] = [10, 84]
/** A counter gains again within so many seconds what it gained between the two scrapes of a test. */
const GAINED_WITHIN_S = 5
const LABELS = 'instance="127.0.0.1:3228",job="gamehall"'

export const scrape = async ({ guest }: Pick<TestService, 'guest'>): Promise<string> =>
  (await guest.get('/metrics')).body

interface Scrape {
  values: Map<string, number>
  counters: Set<string>
}

/** Reads the metrics that the rules name. */
function readScrape(text: string, rules: string): Scrape {
  const scrape: Scrape = { values: new Map(), counters: new Set() }
  let isCounter = false
  for (const line of text.split('\n')) {
    const [, type] = /^# TYPE \S+ (\w+)/.exec(line) ?? []
    if (type !== undefined) isCounter = type === 'counter' || type === 'histogram'
    const [, name = '', labels = '', value] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    if (value === undefined || !rules.includes(name)) continue
    const series = `${name}{${[labels, LABELS].filter((part) => part !== '').join(',')}}`
    scrape.values.set(series, Number(value))
    if (isCounter) scrape.counters.add(series)
  }
  return scrape
}

function toSeries(healthy: Scrape, later: Scrape | undefined) {
  const names = new Set([...healthy.values.keys(), ...(later?.values.keys() ?? [])])
  const series = [...names].map((name) => {
    const [first, then] = [healthy.values.get(name), later?.values.get(name)]
    const goesOn = healthy.counters.has(name) || later?.counters.has(name) || name.includes('_free_bytes')
    const growth = goesOn ? (((then ?? 0) - (first ?? 0)) * STEP_S) / GAINED_WITHIN_S : 0
    const before = first === undefined ? `_x${BEFORE}` : `${first}+0x${BEFORE - 1}`
    if (then === undefined) return { series: name, values: before }
    return { series: name, values: `${before} ${then}${growth < 0 ? '' : '+'}${growth}x${SINCE}` }
  })
  const up = `1+0x${BEFORE - 1} ${later === undefined ? 0 : 1}+0x${SINCE}`
  return [...series, { series: `up{${LABELS}}`, values: up }]
}

/**
 * Evaluates the alert rules over an hour and a half of scrapes, and asserts that these fire at the end, or that none does: the first
 * scrape stands for ten minutes, and the second from then on. Counters go on as between the two, and a disk fills on. Null is a
 * service that does not answer.
 */
export async function expectAlerts(healthy: string, later: string | null, firing: readonly string[]): Promise<void> {
  const [promtool, rules] = await Promise.all([providePromtool(), readFile(ALERTS, 'utf8')])
  const then = later === null ? undefined : readScrape(later, rules)
  const test = {
    rule_files: [ALERTS],
    evaluation_interval: `${STEP_S}s`,
    tests: [
      {
        interval: `${STEP_S}s`,
        input_series: toSeries(readScrape(healthy, rules), then),
        promql_expr_test: [
          {
            expr: `group by (alertname) (ALERTS{alertstate="firing",alertname=~"${firing.join('|') || '.+'}"})`,
            eval_time: `${(BEFORE + SINCE - 1) * STEP_S}s`,
            exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
          },
        ],
      },
    ],
  }
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-alerts-'))
  try {
    const file = join(folder, 'test.json')
    // JSON is YAML.
    await writeFile(file, JSON.stringify(test))
    await execute(promtool, ['test', 'rules', file])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
