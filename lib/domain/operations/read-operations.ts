import { VERSION } from '../../base/version.ts'
import { type Operations, Source, type SourceState } from '../../contract/index.ts'
import type { Sources } from '../../infrastructure/sources/sources.ts'
import { countBySource } from '../conflicts/conflict-counts.ts'
import { QUEUED } from '../conflicts/states.ts'
import { runPassiveChecks } from './check-installation.ts'
import { checkReady } from './check-ready.ts'
import type { OperationsDeps } from './deps.ts'

function readSourceState(sources: Sources, source: Source, now: Date): SourceState {
  const { isOn, openForMs } = sources[source]
  const pausedMs = openForMs()
  if (isOn && pausedMs > 0) return { source, state: 'paused', until: new Date(now.getTime() + pausedMs).toISOString() }
  return { source, state: isOn ? 'on' : 'off', until: null }
}

/** Reads the state of the service: the last sample of its rates, and current values. */
export async function readOperations(deps: OperationsDeps): Promise<Operations> {
  const { clock, conflictCounts, metrics, sources, operationsSampler } = deps
  await operationsSampler.start()
  const latest = operationsSampler.latest()
  if (latest === undefined) throw new Error('the sampler has no sample after its start')

  const [isReady, queued, sockets, approvals, checks] = await Promise.all([
    checkReady(deps).then(
      () => true,
      () => false,
    ),
    countBySource(conflictCounts, QUEUED).catch(() => null),
    metrics.sockets.get(),
    metrics.approvals.get(),
    runPassiveChecks(deps),
  ])
  return {
    ...latest,
    isReady,
    version: VERSION,
    uptimeSeconds: process.uptime(),
    sockets: sockets.values.map(({ labels, value }) => ({ namespace: String(labels.namespace), open: value })),
    queuedDecisions: queued && Source.options.map((source) => ({ source, queued: queued[source] })),
    approvals: approvals.values.map(({ labels, value }) => ({ result: String(labels.result), total: value })),
    checks,
    sources: Source.options.map((source) => readSourceState(sources, source, clock())),
    history: [...operationsSampler.history()],
  }
}
