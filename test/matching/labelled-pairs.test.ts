import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { heldOutPairs, isHeldOut, kinds, labelledPairs, tuningPairs } from './labelled-pairs.ts'
import { type LabelledEntry, type LabelledPair, parsePairs } from './parse-pairs.ts'

const PLATFORMS = new Set(
  (
    '3do 3ds android apple2 arcade amiga atari2600 atarist c64 cpc dc dos fds gb gba gbc gc gg ios jaguar linux mac md msx ' +
    'n64 nds neogeo nes pc98 pce ps1 ps2 ps3 ps4 ps5 psp saturn scd sms snes switch vita web wii wiiu win x360 xbox xone xsx zx'
  ).split(' '),
)
const TYPES = new Set(
  (
    'Main Game,DLC,Expansion,Bundle,Standalone Expansion,Mod,Episode,Season,Remake,Remaster,Expanded Game,Port,Fork,' +
    'Pack / Addon,Update,Fan Disc'
  ).split(','),
)

const halves: [string, LabelledPair[]][] = [
  ['tuning', tuningPairs],
  ['held-out', heldOutPairs],
]
const entries = labelledPairs.flatMap(({ a, b }) => [a, b])
const countWhere = <T>(items: readonly T[], holds: (item: T) => boolean) => items.filter(holds).length
const titleKey = ({ name, released }: LabelledEntry) => `${name.toLowerCase()} (${released?.slice(0, 4)})`
const pairKey = ({ a, b }: LabelledPair) => [titleKey(a), titleKey(b)].sort().join(' / ')
const repeated = (texts: readonly string[]) => texts.filter((text, index) => texts.indexOf(text) !== index)

describe('the labelled pairs', () => {
  it('are at least 480, each under an id of its own', () => {
    expect(labelledPairs.length).toBeGreaterThanOrEqual(480)
    expect(repeated(labelledPairs.map(({ id }) => id))).toEqual([])
  })

  it('hold no two games twice, in either order, so that no pair is in both halves', () => {
    expect(repeated(labelledPairs.map(pairKey))).toEqual([])
  })

  it('hold no pair of one text, which would ask for nothing', () => {
    expect(labelledPairs.filter(({ a, b }) => JSON.stringify(a) === JSON.stringify(b))).toEqual([])
  })

  it('tell games of an identical name apart by another fact, and that on both sides', () => {
    const alike = labelledPairs.filter(({ isSame, a, b }) => !isSame && a.name.toLowerCase() === b.name.toLowerCase())
    const isTold = ({ a, b }: LabelledPair) =>
      [a.released && b.released, a.companies && b.companies, a.type && b.type].some(Boolean)
    expect(alike.length).toBeGreaterThan(20)
    expect(alike.filter((pair) => !isTold(pair))).toEqual([])
  })

  it('keep to the vocabulary of platforms, types and dates', () => {
    expect(entries.flatMap(({ platforms = [] }) => platforms).filter((each) => !PLATFORMS.has(each))).toEqual([])
    expect(entries.flatMap(({ type }) => type ?? []).filter((each) => !TYPES.has(each))).toEqual([])
    const dates = entries.flatMap(({ released }) => released ?? [])
    expect(
      dates.filter((each) => !/^(19[5-9]|20[0-2])\d(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?$/.test(each)),
    ).toEqual([])
  })

  it('say nothing twice or empty within an entry', () => {
    const texts = ({ name, alternativeNames = [], companies = [], platforms = [], genres = [] }: LabelledEntry) => [
      [name],
      alternativeNames,
      companies,
      platforms,
      genres,
    ]
    const isPlain = (list: readonly string[]) =>
      repeated(list).length === 0 && list.every((text) => text !== '' && text === text.trim() && !text.includes('|'))
    expect(entries.filter((entry) => !texts(entry).every(isPlain))).toEqual([])
  })

  it('are as incomplete as sources are', () => {
    const facts = ['alternativeNames', 'released', 'companies', 'platforms', 'type', 'genres', 'summary'] as const
    for (const fact of facts) {
      const known = countWhere(entries, (entry) => entry[fact] !== undefined)
      expect(known, fact).toBeGreaterThan(0.03 * entries.length)
      expect(known, fact).toBeLessThan(0.95 * entries.length)
    }
  })

  it('fill one data file for each kind', () => {
    expect(readdirSync(new URL('data', import.meta.url)).sort()).toEqual(kinds.map((kind) => `${kind}.txt`))
  })
})

describe('the halves', () => {
  it('are told by the id alone and make up the whole', () => {
    expect(tuningPairs.length + heldOutPairs.length).toBe(labelledPairs.length)
    expect(heldOutPairs.every(({ id }) => isHeldOut({ id }))).toBe(true)
    expect(tuningPairs.some(({ id }) => isHeldOut({ id }))).toBe(false)
  })

  it.each(halves)('hold 40 to 60 percent of the pairs each: %s', (_half, pairs) => {
    expect(pairs.length / labelledPairs.length).toBeGreaterThan(0.4)
    expect(pairs.length / labelledPairs.length).toBeLessThan(0.6)
  })

  it.each(halves)('hold both labels at 35 to 65 percent each: %s', (_half, pairs) => {
    const share = countWhere(pairs, ({ isSame }) => isSame) / pairs.length
    expect(share).toBeGreaterThan(0.35)
    expect(share).toBeLessThan(0.65)
  })

  it.each(halves)('hold at least 5 pairs and a third of each kind: %s', (_half, pairs) => {
    for (const kind of kinds) {
      const isKind = (pair: LabelledPair) => pair.kind === kind
      expect(countWhere(pairs, isKind), kind).toBeGreaterThanOrEqual(Math.max(5, countWhere(labelledPairs, isKind) / 3))
    }
  })
})

describe('parsePairs', () => {
  it('reads each fact of an entry', () => {
    const text = [
      '= some-id: A: Name | aka B; C;D | 1999-02 | by E; F | on win ps2 | is Main Game | genre RPG | about G; h.',
      '  I | 2000',
      '',
    ]
    expect(parsePairs(text.join('\n'), 'kind')).toEqual([
      {
        id: 'kind/some-id',
        kind: 'kind',
        isSame: true,
        a: {
          name: 'A: Name',
          alternativeNames: ['B', 'C;D'],
          released: '1999-02',
          companies: ['E', 'F'],
          platforms: ['win', 'ps2'],
          type: 'Main Game',
          genres: ['RPG'],
          summary: 'G; h.',
        },
        b: { name: 'I', released: '2000' },
      },
    ])
  })

  it.each([
    ['a pair without its second line', '! id: A'],
    ['a second line that is not indented', '! id: A\nB'],
    ['a label that is neither', '? id: A\n  B'],
    ['a fact of no kind', '! id: A | whatever this is\n  B'],
  ])('refuses %s', (_case, text) => {
    expect(() => parsePairs(text, 'kind')).toThrow()
  })
})
