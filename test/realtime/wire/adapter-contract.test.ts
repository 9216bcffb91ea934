import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { startHub } from './hub.ts'
import { createSchedule, play } from './schedule.ts'

/** The versions whose insides the adapter and its sockets know. With others, run this file and read their changes. */
const KNOWN = {
  'socket.io': '4.8.4',
  'socket.io-adapter': '2.5.8',
  'socket.io-parser': '4.2.7',
  'engine.io': '6.6.12',
  ws: '8.23.0',
}

it('the versions are those whose insides are known', async () => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'))
  const installed = Object.keys(KNOWN).map((name) => [name, packages[`node_modules/${name}`].version])
  expect(Object.fromEntries(installed)).toEqual(KNOWN)
})

it.each([1, 2, 3, 4, 5, 6])('every client sees what it would see of the in-memory adapter: seed %i', async (seed) => {
  const schedule = createSchedule(seed, 40)
  const [ours, theirs] = await Promise.all(
    (['wire', 'in-memory'] as const).map(async (wiring) => {
      const hub = await startHub(wiring)
      try {
        return await play(hub, schedule)
      } finally {
        await hub.close()
      }
    }),
  )
  expect(ours).toEqual(theirs)
  expect(Object.values(theirs ?? {}).flat().length).toBeGreaterThan(100)
})
