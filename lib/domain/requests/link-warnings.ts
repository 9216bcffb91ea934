import { SOURCE_TITLES, type Source } from '../../contract/sources.ts'
import type { SourceError } from '../../infrastructure/sources/transport/errors.ts'

interface Entry {
  source: Source
  id: string
}

const toTitle = ({ source, id }: Entry) => `${SOURCE_TITLES[source]} ${id}`

export const ownedBy = (entry: Entry, { name }: { name: string }) => `${toTitle(entry)} already belongs to "${name}"`

export const fromVndb = (entry: Entry) => `This game comes from VNDB, so ${toTitle(entry)} was not linked`

export const notParsed = (entry: Entry, { message }: SourceError) => `${toTitle(entry)} could not be parsed: ${message}`

export const linkedUnparsed = (entry: Entry, { message }: SourceError) =>
  `${toTitle(entry)} was linked but could not be parsed: ${message}`

export const notSynced = (entry: Entry, { message }: SourceError) => `${toTitle(entry)} could not be synced: ${message}`

export const differentConsole = (gameId: number, { theirs, ours }: { theirs: number; ours: number }) =>
  `RetroAchievements ${gameId} is a game of console ${theirs} there, not of console ${ours}`

interface Left {
  field: string
  kind: 'game' | 'platform'
  id: string
}

export const leftOut = ({ field, kind, id }: Left) => `There is no ${kind} ${id}, so it was left out of "${field}"`

export const relatedToItself = ({ field }: Pick<Left, 'field'>) =>
  `A game cannot be related to itself, so it was left out of "${field}"`

export const imagesNotCopied = (entry: Entry, count: number) =>
  `${count} image${count === 1 ? '' : 's'} of ${toTitle(entry)} could not be copied`
