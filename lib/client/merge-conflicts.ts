import type { ConflictItem, ConflictRow, ConflictSummary } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/namespaces/conflicts.ts'
import type { Source } from '../contract/sources.ts'

/** Conflicts as they were last read, with what was announced since on top. */
export interface Conflicts {
  readonly summary: ConflictSummary | null
  readonly rows: readonly ConflictRow[]
  readonly total: number
}

export const NO_CONFLICTS: Conflicts = { summary: null, rows: [], total: 0 }

interface ConflictKey {
  source: Source
  externalId: string
}

export const isSameConflict = (one: ConflictKey, other: ConflictKey) =>
  one.source === other.source && one.externalId === other.externalId

/** Shows a decision at once, before the list is read again: the row keeps its place until then. */
export function patchConflicts(conflicts: Conflicts, decided: ConflictDecided): Conflicts {
  const { state } = decided
  const rows = conflicts.rows.map((row) => (isSameConflict(row, decided) ? { ...row, state } : row))
  return { ...conflicts, rows }
}

/** The open conflict after a decision of it, by whomever. */
export function patchItem(item: ConflictItem, decided: ConflictDecided): ConflictItem {
  if (!isSameConflict(item, decided)) return item
  return { ...item, state: decided.state, decidedBy: decided.decidedBy }
}
