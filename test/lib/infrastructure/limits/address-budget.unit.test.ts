import { expect, it } from 'vitest'
import { addressKey, createAddressBudget } from '#lib/infrastructure/limits/address-budget'

interface Holder {
  bytes: number
}

function createBudget() {
  const cut: Holder[] = []
  const budget = createAddressBudget<Holder>({
    maxBytes: 80,
    measure: ({ bytes }) => bytes,
    cut(holder) {
      cut.push(holder)
      holder.bytes = 0
    },
  })
  return { budget, cut }
}

it('room is reserved until its release, which counts once, for each address alone', () => {
  const { budget } = createBudget()
  const first = budget.reserve('192.0.2.1', 50)
  expect(budget.reserve('192.0.2.1', 31)).toBeNull()
  const second = budget.reserve('192.0.2.1', 30)
  expect(budget.reserve('192.0.2.2', 80)).not.toBeNull()

  first?.()
  first?.()
  expect(budget.reserve('192.0.2.1', 51)).toBeNull()
  second?.()
  expect(budget.reserve('192.0.2.1', 80)).not.toBeNull()
})

it('an address that has nothing gets room for more than the bound', () => {
  const { budget } = createBudget()
  expect(budget.reserve('192.0.2.1', 100)).not.toBeNull()
  expect(budget.reserve('192.0.2.1', 1)).toBeNull()
})

it('addresses of one /64 share their room, with what their holders have now', () => {
  const { budget } = createBudget()
  const holder = { bytes: 0 }
  budget.add('2001:db8::1', holder)
  holder.bytes = 80
  expect(budget.reserve('2001:db8::2', 1)).toBeNull()
  budget.release('2001:db8::1', holder)
  expect(budget.reserve('2001:db8::2', 1)).not.toBeNull()
})

it('the oldest holders are cut until seven eighths are left, those without bytes are not', () => {
  const { budget, cut } = createBudget()
  const holders = [0, 5, 5, 40, 30].map((bytes) => ({ bytes }))
  for (const holder of holders) budget.add('192.0.2.1', holder)
  budget.evict('192.0.2.1')
  expect(cut).toEqual([])

  const newest = { bytes: 5 }
  budget.add('192.0.2.1', newest)
  budget.evict('192.0.2.1')
  expect(cut).toEqual([holders[1], holders[2], holders[3]])
})

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['::FFFF:c633:6407', '198.51.100.7'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
  ['127.1', '127.1'],
  ['', ''],
])('the address %s counts as %s', (address, key) => {
  expect(addressKey(address)).toBe(key)
})
