import type { ProposalField } from './fields.ts'

export type Values = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toList = (value: unknown): readonly unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]

interface RelatedGame {
  relation: string
  id: string
}

/** Lists related games, which are stored by their relation, one by one. */
export const toRelated = (value: unknown): RelatedGame[] =>
  Object.entries(isObject(value) ? value : {}).flatMap(([relation, ids]) =>
    toList(ids).map((id) => ({ relation, id: String(id) })),
  )

/** The ids of games among the values of fields, to be read by name. */
export const listGameIds = (fields: readonly ProposalField[], values: Values): string[] =>
  fields.flatMap(({ key, kind }) => {
    if (kind === 'game' || kind === 'games') return toList(values[key]).map(String)
    return kind === 'relations' ? toRelated(values[key]).map(({ id }) => id) : []
  })
