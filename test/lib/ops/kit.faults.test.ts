import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SETTINGS } from '#lib/base/settings'
import { useDatabaseProxy } from '../../support/processes/database-proxy.ts'
import { insertConflict } from '../../support/rows/rows.ts'
import { BUSY_MACHINE_MS, type TestService, useService } from '../../support/service/start-service.ts'
import { ALERTS, expectAlerts } from '../../support/tools/expect-alerts.ts'
import { providePromtool } from '../../support/tools/provide-debian-program.ts'

const execute = promisify(execFile)
const KIT = join(ALERTS, '..')
const WAIT = { timeout: 120_000, interval: 500 }

const scrape = async ({ guest }: TestService): Promise<string> => (await guest.get('/metrics')).body
const readKit = (name: string) => readFile(join(KIT, name), 'utf8')

it('no alert fires while the service does its work', async () => {
  const service = await useService()
  const user = await service.caller()
  const work = async () => {
    for (const path of ['/platforms', '/healthz', '/readyz', '/notifications']) await user.get(path)
    return await scrape(service)
  }
  // A machine that is busy for a while is one of the alerts.
  await vi.waitFor(async () => expectAlerts(await work(), await work(), []), WAIT)
})

it('a service that does not answer fires GamehallDown', async () => {
  const service = await useService()
  await expectAlerts(await scrape(service), null, ['GamehallDown'])
})

it('commands that wait for a connection fire GamehallDatabaseQueue', async () => {
  const { uri: mongodbUri, target: feedUri, holdCommands } = await useDatabaseProxy()
  const service = await useService({ mongodbUri, feedUri, timeoutMs: BUSY_MACHINE_MS })
  const healthy = await scrape(service)
  const release = holdCommands('platforms')
  const answers = Array.from({ length: 14 }, () => service.db.platforms.findOne({ _id: new ObjectId() }))
  await vi.waitUntil(() => service.db.pool.waiting >= 4, WAIT)
  const waiting = await scrape(service)
  release()
  await Promise.all(answers)

  await expectAlerts(healthy, waiting, ['GamehallDatabaseQueue'])
})

it('work that holds the process up fires GamehallBusy', async () => {
  const service = await useService()
  const healthy = await scrape(service)
  await scrape(service)
  for (let times = 0; times < 5; times++) {
    const until = performance.now() + 500
    while (performance.now() < until);
    await turn()
  }
  await expectAlerts(healthy, await scrape(service), ['GamehallBusy'])
})

it('a decided conflict that is not written fires GamehallDecisionsWait', async () => {
  const service = await useService()
  const healthy = await scrape(service)
  await insertConflict(service.db, { source: 'vndb', decision: 'match' })
  await expectAlerts(healthy, await scrape(service), ['GamehallDecisionsWait'])
})

it('every alert says what to do, and Prometheus reads both files', async () => {
  const promtool = await providePromtool()
  await execute(promtool, ['check', 'rules', ALERTS])
  await execute(promtool, ['check', 'config', '--syntax-only', join(KIT, 'prometheus.yml')])

  const { groups } = parse(await readKit('alerts.yml'))
  for (const { annotations } of groups[0].rules) {
    expect(annotations).toEqual({ summary: expect.any(String), action: expect.stringMatching(/\.$/) })
  }
})

const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })) })),
})

it('every metric of the dashboard and of the alerts exists', async () => {
  const service = await useService()
  const { panels } = Dashboard.parse(JSON.parse(await readKit('grafana.json')))
  const shown = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join(' ')
  const names = `${shown} ${await readKit('alerts.yml')}`.match(/\b(gamehall|nodejs|process)_[a-z0-9_]+/g) ?? []
  const metrics = await scrape(service)

  expect(panels.length).toBeGreaterThan(5)
  const unknown = [...new Set(names)].filter(
    (name) => !metrics.includes(`# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `),
  )
  expect(unknown).toEqual([])
})

const Container = z.object({
  containers: z.tuple([
    z.object({
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      startupProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
      livenessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
      readinessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
      lifecycle: z.object({
        preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
      }),
    }),
  ]),
  terminationGracePeriodSeconds: z.number(),
})

it('the settings of Kubernetes and systemd exist, their probes answer, and a stop has its time', async () => {
  const service = await useService()
  const [deployment] = parseAllDocuments(await readKit('kubernetes.yaml'))
  const pod = Container.parse(deployment?.toJS().spec.template.spec)
  const [{ env, startupProbe, livenessProbe, readinessProbe, lifecycle }] = pod.containers
  const unit = await readKit('gamehall.service')
  const ofUnit = Array.from(unit.matchAll(/^Environment=(\w+)=/gm), ([, name]) => name)

  expect([...env.map(({ name }) => name), ...ofUnit].filter((name) => !SETTINGS.includes(String(name)))).toEqual([])
  for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
    expect((await service.guest.get(httpGet.path)).status).toBe(200)
  }
  const drain = Number(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value)
  const preStop = Number(lifecycle.preStop.exec.command[1])
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(preStop + drain + 20)
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(20)
  expect(unit).toContain(`append:${/^(\/\S+) \{$/m.exec(await readKit('gamehall.logrotate'))?.[1]}\n`)
})
