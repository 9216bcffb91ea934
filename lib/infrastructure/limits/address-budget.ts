import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Makes the key of an address in a limit. IPv6 counts by its /64, which one customer has; IPv4 within IPv6 counts as IPv4. */
export function addressKey(address: string): string {
  if (isIP(address) !== 6) return address

  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString()
  return `${new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0])}/64`
}

interface BudgetOptions<Holder> {
  maxBytes: number
  measure?(holder: Holder): number
  cut?(holder: Holder, facts: { address: string; bytes: number }): void
}

interface Account<Holder> {
  /** Bytes of each holder as last measured, the oldest holder first. */
  holders: Map<Holder, number>
  held: number
  reserved: number
}

/** The part of the limit that an eviction leaves, so that the next bytes do not cause another eviction. */
const LEFT_BY_EVICTION = 7 / 8

/** Limits the memory of all clients of one address. An IPv6 address counts by its /64. */
export function createAddressBudget<Holder>({ maxBytes, measure = () => 0, cut = () => {} }: BudgetOptions<Holder>) {
  const accounts = new Map<string, Account<Holder>>()

  function open(key: string): Account<Holder> {
    const account = accounts.get(key) ?? { holders: new Map(), held: 0, reserved: 0 }
    accounts.set(key, account)
    return account
  }

  function closeEmpty(key: string, account: Account<Holder>): void {
    const { holders, reserved } = account
    if (holders.size === 0 && reserved === 0 && accounts.get(key) === account) accounts.delete(key)
  }

  function update(account: Account<Holder>, holder: Holder): void {
    const bytes = measure(holder)
    account.held += bytes - (account.holders.get(holder) ?? 0)
    account.holders.set(holder, bytes)
  }

  function evictOldest(address: string, account: Account<Holder>): void {
    for (const holder of account.holders.keys()) update(account, holder)
    if (account.held <= maxBytes) return
    for (const [holder, bytes] of account.holders) {
      if (account.held <= LEFT_BY_EVICTION * maxBytes) return
      if (bytes === 0) continue
      cut(holder, { address, bytes })
      update(account, holder)
    }
  }

  return {
    /** Measures a holder; the first time it becomes the newest of its address. */
    add: (address: string, holder: Holder) => update(open(addressKey(address)), holder),

    /** Reserves room for expected bytes. Returns the function that releases it, or null when the address has no room. */
    reserve(address: string, bytes: number): (() => void) | null {
      const key = addressKey(address)
      const account = open(key)
      for (const holder of account.holders.keys()) update(account, holder)
      const others = account.held + account.reserved
      if (others > 0 && others + bytes > maxBytes) return null
      account.reserved += bytes
      let unreleased = bytes
      return () => {
        account.reserved -= unreleased
        unreleased = 0
        closeEmpty(key, account)
      }
    },

    release(address: string, holder: Holder): void {
      const key = addressKey(address)
      const account = accounts.get(key)
      if (account === undefined) return
      account.held -= account.holders.get(holder) ?? 0
      account.holders.delete(holder)
      closeEmpty(key, account)
    },

    /** Cuts the oldest holders of an address that has more than its room. */
    evict(address: string): void {
      const key = addressKey(address)
      const account = accounts.get(key)
      if (account !== undefined && account.held > maxBytes) evictOldest(key, account)
    },

    evictAll(): void {
      for (const [key, account] of accounts) evictOldest(key, account)
    },
  }
}
