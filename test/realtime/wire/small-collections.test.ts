import { expect, it } from 'vitest'
import { SmallMap } from '../../../realtime/wire/small-map.ts'
import { SmallSet } from '../../../realtime/wire/small-set.ts'
import { createRandom } from '../../bench/catalogue.ts'

const KEYS = ['a', 'b', 'c', 'd']

it.each([1, 2, 3])('are what a set and a map are: seed %i', (seed) => {
  const random = createRandom(seed)
  let [set, map] = [new Set<string>(), new Map<string, number>()]
  let [smallSet, smallMap] = [new SmallSet<string>(), new SmallMap<string, number>()]

  for (let round = 0; round < 500; round += 1) {
    const key = KEYS[Math.floor(random() * KEYS.length)] ?? ''
    const act = random()
    if (act < 0.45) {
      set.add(key)
      smallSet.add(key)
      map.set(key, round)
      smallMap.set(key, round)
    } else if (act < 0.9) {
      expect(smallSet.delete(key)).toBe(set.delete(key))
      expect(smallMap.delete(key)).toBe(map.delete(key))
    } else if (act < 0.95) {
      ;[set, map] = [new Set(), new Map()]
      ;[smallSet, smallMap] = [new SmallSet(), new SmallMap()]
    } else {
      for (const each of [set, smallSet, map, smallMap]) each.clear()
    }
    expect([...smallSet]).toEqual([...set])
    expect([...smallSet.entries()]).toEqual([...set.entries()])
    expect([...smallMap]).toEqual([...map])
    expect([...smallMap.values()]).toEqual([...map.values()])
    expect([smallSet.size, smallMap.size]).toEqual([set.size, map.size])
    expect([smallSet.has(key), smallMap.has(key), smallMap.get(key)]).toEqual([
      set.has(key),
      map.has(key),
      map.get(key),
    ])
    const visited: string[] = []
    smallSet.forEach((value) => void visited.push(value))
    smallMap.forEach((value, each) => void visited.push(`${each}${value}`))
    expect(visited).toEqual([...set, ...[...map].map(([each, value]) => `${each}${value}`)])
  }
})

it('a member that goes while the set is read is not met', () => {
  const [set, small] = [new Set(['a', 'b']), new SmallSet<string>().add('a').add('b')]
  const read = (each: Set<string>) => {
    const met: string[] = []
    for (const value of each) {
      met.push(value)
      each.delete('b')
    }
    return met
  }
  expect(read(small)).toEqual(read(set))
})
