import { expect, test } from 'vitest'
import { type Circuit, createCircuit, type Outcome } from '#lib/infrastructure/sources/transport/circuit'
import { createManualTiming } from '../../../../support/stand-ins/manual-timing.ts'

function make() {
  const timing = createManualTiming()
  return { timing, circuit: createCircuit({ timing }) }
}

function pass(circuit: Circuit, ...outcomes: Outcome[]): void {
  for (const outcome of outcomes) circuit.enter()?.end(outcome)
}

const FAILURES: Outcome[] = ['failure', 'failure', 'failure', 'failure', 'failure']

test('a success begins the row of failures anew, a neutral end does not', () => {
  const { circuit } = make()

  pass(circuit, ...FAILURES.slice(1), 'success', ...FAILURES.slice(1), 'neutral')
  expect(circuit.openForMs()).toBe(0)
  pass(circuit, 'failure')
  expect(circuit.openForMs()).toBeGreaterThan(0)
})

test('after 30 s one trial at a time passes, and its success closes the circuit', async () => {
  const { circuit, timing } = make()
  pass(circuit, ...FAILURES)
  await timing.advance(30_000)
  expect(circuit.openForMs()).toBe(0)

  const trial = circuit.enter()
  expect(trial).toBeDefined()
  expect(circuit.enter()).toBeUndefined()
  expect(circuit.openForMs()).toBeGreaterThan(0)

  trial?.end('success')
  expect(circuit.openForMs()).toBe(0)
  pass(circuit, ...FAILURES.slice(1))
  expect(circuit.enter()).toBeDefined()
})

test('a trial that its caller ended leaves the trial to the next', async () => {
  const { circuit, timing } = make()
  pass(circuit, ...FAILURES)
  await timing.advance(30_000)

  pass(circuit, 'neutral')

  expect(circuit.openForMs()).toBe(0)
  pass(circuit, 'success')
  expect(circuit.enter()).toBeDefined()
  expect(circuit.enter()).toBeDefined()
})

test('a call that began before the circuit opened neither closes it nor keeps it open longer', async () => {
  const { circuit, timing } = make()
  const late = [circuit.enter(), circuit.enter()]
  pass(circuit, ...FAILURES)
  await timing.advance(10_000)

  late[0]?.end('success')
  expect(circuit.openForMs()).toBe(20_000)
  late[1]?.end('failure')
  expect(circuit.openForMs()).toBe(20_000)
})

test('the circuit can be opened for a time, which no end of a call makes shorter', async () => {
  const { circuit, timing } = make()
  circuit.open(60_000)
  expect(circuit.openForMs()).toBe(60_000)
  circuit.open(1_000)
  expect(circuit.openForMs()).toBe(60_000)
  await timing.advance(60_000)

  for (const outcome of ['success', 'failure', 'neutral'] as const) {
    const trial = circuit.enter()
    circuit.open(60_000)
    trial?.end(outcome)
    expect(circuit.openForMs()).toBe(60_000)
    await timing.advance(60_000)
  }
})

test('a call and a trial become stale when the circuit opens after their begin', async () => {
  const { circuit, timing } = make()
  const before = circuit.enter()
  expect(before?.isStale()).toBe(false)
  pass(circuit, ...FAILURES)
  expect(before?.isStale()).toBe(true)
  await timing.advance(30_000)

  const trial = circuit.enter()
  expect(trial?.isStale()).toBe(false)
  circuit.open(1_000)
  expect(trial?.isStale()).toBe(true)
})
