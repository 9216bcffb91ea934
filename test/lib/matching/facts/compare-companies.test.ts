import { describe, expect, test } from 'vitest'
import { compareCompanies, readCompanies } from '../../../../lib/matching/facts/compare-companies.ts'
import { COMPANY_SIGNALS } from '../../../../lib/matching/weights.ts'

// A document as another program may have stored it: what the types do not allow is the point.
const odd = (value: unknown) => value as never

describe('companies', () => {
  test.each([
    ['Capcom', 'CAPCOM Co., Ltd.', 'same'],
    ['From Software', 'FromSoftware', 'same'],
    ['Square', 'Square Enix', 'kindred'],
    ['platinum', 'PlatinumGames', 'kindred'],
    ['KCEJ', 'Konami Computer Entertainment Japan', 'kindred'],
    ['Namco', 'Bandai Namco', 'kindred'],
    ['Ubisoft Montreal', 'Ubisoft Paris', 'sameHouse'],
    ['Black Isle', 'Bungie', 'other'],
    ['Game Arts', 'Game Freak', 'other'],
  ] as const)('%s and %s: %s', (subject, company, signal) => {
    expect(compareCompanies(readCompanies([subject]), [{ name: company, developer: true }])).toBe(
      COMPANY_SIGNALS[signal],
    )
  })

  test('one of many is enough', () => {
    expect(compareCompanies(readCompanies(['8-4', 'Toby Fox']), [{ name: 'Fangamer' }, { name: 'Toby Fox' }])).toBe(1)
  })

  test('a developer held against publishers alone is hardly another', () => {
    expect(compareCompanies(readCompanies(['Rare']), [{ name: 'Nintendo', publisher: true }])).toBe(
      COMPANY_SIGNALS.otherRole,
    )
  })

  test('what is not known, and what is written in two scripts, is neither for nor against', () => {
    expect(compareCompanies(readCompanies([]), [{ name: 'Rare' }])).toBeNull()
    expect(compareCompanies(readCompanies(['Rare']), undefined)).toBeNull()
    expect(compareCompanies(readCompanies(['Rare']), odd(null))).toBeNull()
    expect(compareCompanies(readCompanies(['Rare']), odd([null, { name: null }]))).toBeNull()
    expect(compareCompanies(readCompanies(['フロム・ソフトウェア']), [{ name: 'FromSoftware' }])).toBeNull()
  })
})
