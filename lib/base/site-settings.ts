import { z } from 'zod'

/** The parts of a user that claims of the site's tokens are mapped to. */
const MAPPED = ['id', 'userName', 'email', 'avatar', 'createdAt', 'admin'] as const
type Mapped = (typeof MAPPED)[number]

export interface ClaimValue {
  claim: string
  value: string
}

const CLAIM_VALUE = /^(?<claim>[^\s=]+)=(?<value>[^\s=]+)$/

function readClaimValue(text: string): ClaimValue | undefined {
  const { claim, value } = CLAIM_VALUE.exec(text)?.groups ?? {}
  return claim === undefined || value === undefined ? undefined : { claim, value }
}

const readBy = <T>(read: (text: string) => T | undefined, error: string) =>
  z.string().transform((text, { addIssue }) => {
    const value = read(text)
    if (value === undefined) addIssue(error)
    return value ?? z.NEVER
  })

export const claimValue = (error: string) => readBy(readClaimValue, error)

const isMapped = (name: string): name is Mapped => MAPPED.some((each) => each === name)

/** Reads a list such as `id:sub,admin:roles=admin`. A claim may contain colons, as an address does. */
function readClaimMap(list: string) {
  const pairs = list.split(',').map((pair) => {
    const [, name = '', claim = ''] = /^\s*(\w+):(\S+)\s*$/.exec(pair) ?? []
    return { name, claim }
  })
  const map = new Map(pairs.map(({ name, claim }) => [name, claim]))
  const { id, admin, ...others }: Partial<Record<Mapped, string>> = Object.fromEntries(map)
  const role = admin === undefined ? undefined : readClaimValue(admin)
  const isWrong = map.size < pairs.length || pairs.some(({ name }) => !isMapped(name))
  if (isWrong || id === undefined || (admin !== undefined && role === undefined)) return undefined
  return { ...others, id, admin: role }
}

const CLAIMS_FORM = 'must be comma-separated pairs such as id:sub,userName:name,admin:roles=admin, one of them of id'
export const claimMap = readBy(readClaimMap, CLAIMS_FORM)
