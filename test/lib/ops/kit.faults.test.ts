import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { SETTINGS } from '#lib/base/settings'
import { useDatabaseProxy } from '../../support/processes/database-proxy.ts'
import { insertConflict } from '../../support/rows/rows.ts'
import { BUSY_MACHINE_MS, useService } from '../../support/service/start-service.ts'
import { ALERTS, expectAlerts, scrape } from '../../support/tools/expect-alerts.ts'
import { providePromtool } from '../../support/tools/provide-debian-program.ts'

const execute = promisify(execFile)
const KIT = join(ALERTS, '..')
const WAIT = { timeout: 120_000, interval: 500 }

const readKit = (name: string) => readFile(join(KIT, name), 'utf8')

it('no alert fires while the service does its work', async () => {
  const service = await useService()
  const user = await service.caller()
  const work = async () => {
    for (const path of ['/platforms', '/healthz', '/readyz', '/notifications']) await user.get(path)
    return await scrape(service)
  }
  // The attempt is repeated, because a busy machine fires an alert rightly.
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

it('the settings of Kubernetes and systemd exist, their probes answer, and a stop has its time', async () => {
  const service = await useService()
  const [kubernetes, unit, logrotate] = await Promise.all(
    ['kubernetes.yaml', 'gamehall.service', 'gamehall.logrotate'].map(readKit),
  )
  const allOf = (text = '', pattern: RegExp) => Array.from(text.matchAll(pattern), ([, found = '']) => found)
  const secondsOf = (text: string | undefined, pattern: RegExp) => Number(allOf(text, pattern)[0])
  const settings = [...allOf(kubernetes, /name: ([A-Z_]+), value/g), ...allOf(unit, /^Environment=(\w+)=/gm)]

  expect(parseAllDocuments(kubernetes ?? '').map((each) => each.toJS().kind)).toEqual(['Deployment', 'Service'])
  expect(settings.length).toBeGreaterThan(4)
  expect(settings.filter((name) => !SETTINGS.includes(name))).toEqual([])
  const probes = allOf(kubernetes, /httpGet: { path: ([^,]+)/g)
  expect(probes).toEqual(['/healthz', '/healthz', '/readyz'])
  for (const path of probes) expect((await service.guest.get(path)).status).toBe(200)
  const drain = secondsOf(kubernetes, /name: DRAIN_SECONDS, value: '(\d+)'/g)
  const preStop = secondsOf(kubernetes, /command: \[sleep, '(\d+)'\]/g)
  expect(secondsOf(kubernetes, /terminationGracePeriodSeconds: (\d+)/g)).toBeGreaterThanOrEqual(preStop + drain + 20)
  expect(secondsOf(unit, /^TimeoutStopSec=(\d+)$/gm)).toBeGreaterThanOrEqual(20)
  const logs = allOf(unit, /=append:(.+)$/gm)
  expect(logs).toEqual(allOf(logrotate, /^(\/\S+) {$/gm))
  // systemd opens the log before it creates folders of the service, so a log in such a folder would fail every first start.
  expect(logs.map(dirname)).toEqual(['/var/log'])
})
