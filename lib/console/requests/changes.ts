import type { ReviewedRequest } from '../../contract/requests.ts'
import { formatCount, formatList, toDay } from '../format.ts'
import { useGames, usePlatforms } from '../names.ts'
import { describeGame } from '../parts/game-row.tsx'
import {
  isAdded,
  isObject,
  listColumns,
  listFields,
  listGameIds,
  type ProposalField,
  REGIONS,
  RELATION_NAMES,
  type RowColumn,
  toList,
  toRelated,
} from '../proposal/fields.ts'

export interface ValueItem {
  text: string
  address?: string
  isImage?: true
}

interface Names {
  platform(id: string): string
  game(id: string): { name: string; slug: string | null }
}

const toText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : JSON.stringify(value)

function toCell({ kind, label }: RowColumn, value: unknown, names: Names): string | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (kind === 'flag') return label.toLowerCase()
  if (kind === 'date' && typeof value === 'number') return toDay(value)
  if (kind === 'platform') return names.platform(String(value))
  if (kind === 'region') return REGIONS[Number(value) - 1] ?? `region ${String(value)}`
  return kind === 'number' ? `${label} ${String(value)}` : String(value)
}

function toGame(id: unknown, names: Names, before = ''): ValueItem {
  const { name, slug } = names.game(String(id))
  return { text: before + name, ...(slug !== null && { address: `#/games/${slug}` }) }
}

function toItems(field: ProposalField, value: unknown, names: Names): ValueItem[] {
  if (value === null || value === undefined) return []
  switch (field.kind) {
    case 'date':
      return [{ text: typeof value === 'number' ? toDay(value) : String(value) }]
    case 'image':
    case 'images':
      return toList(value).map((link) => ({ text: String(link), address: String(link), isImage: true }))
    case 'links':
      return toList(value).map((link) => ({ text: String(link), address: String(link) }))
    case 'platforms':
      return toList(value).map((id) => ({ text: names.platform(String(id)) }))
    case 'game':
    case 'games':
      return toList(value).map((id) => toGame(id, names))
    case 'relations':
      return toRelated(value).map(({ relation, id }) => toGame(id, names, `${RELATION_NAMES[relation] ?? relation}: `))
    case 'rows':
      return toList(value).map((row) => ({
        text: listColumns(field)
          .flatMap((column) => toCell(column, isObject(row) ? row[column.key] : row, names) ?? [])
          .join(', '),
      }))
    default:
      return toList(value).map((member) => ({ text: toText(member) }))
  }
}

export interface Change {
  field: ProposalField
  isNew: boolean
  current: readonly ValueItem[]
  proposed: readonly ValueItem[]
}

const listTexts = (items: readonly ValueItem[]) => new Set(items.map(({ text }) => text))

export function isChanging({ field, current, proposed }: Change): boolean {
  const [now, then] = [listTexts(current), listTexts(proposed)]
  const hasNew = [...then].some((text) => !now.has(text))
  return hasNew || (!isAdded(field) && [...now].some((text) => !then.has(text)))
}

export function describeEffect({ field, current, isNew }: Change): string {
  const { kind, readsEntry } = field
  const isEmpty = current.length === 0
  if (kind === 'image') return isEmpty ? 'copies the image' : 'copies the image, replaces'
  if (kind === 'images') return isNew ? 'copies the images' : 'copies the images, adds to'
  const link = readsEntry ? ', reads the entry' : ''
  if (isAdded(field) && !isNew) return `adds to${link}`
  return `${isEmpty ? 'fills in' : 'replaces'}${link}`
}

/** Describes the work of an approval: `copying 2 images and writing 3 fields`. */
export function describeWork(changes: readonly Change[]): string {
  const images = changes
    .filter(({ field }) => field.kind === 'image' || field.kind === 'images')
    .reduce((sum, { proposed }) => sum + proposed.length, 0)
  const entries = changes.filter(({ field }) => field.readsEntry)
  return formatList([
    ...(entries.length > 0 ? [`reading ${formatList(entries.map(({ field }) => field.label))}`] : []),
    ...(images > 0 ? [`copying ${formatCount(images, 'image')}`] : []),
    `writing ${formatCount(changes.length, 'field')}`,
  ])
}

export function useChanges(request: ReviewedRequest): Change[] {
  const platforms = usePlatforms()
  const fields = listFields(request.kind).filter(({ key }) => Object.hasOwn(request.payload, key))
  const current = request.current ?? {}
  const ids = [request.payload, current].flatMap((values) => listGameIds(fields, values))
  const games = useGames(ids)

  const names = {
    platform: (id: string) =>
      platforms.find(({ _id }) => _id === id)?.name ??
      (platforms.length === 0 ? `Platform ${id}` : `Unknown platform ${id}`),
    game(id: string) {
      const game = games.get(id)
      if (game === undefined) return { name: `Game ${id}`, slug: null }
      if (game === null) return { name: `A game that left the catalogue (${id})`, slug: null }
      return { name: `${game.name} (${describeGame(game)})`, slug: game.slug }
    },
  }
  return fields.map((field) => ({
    field,
    isNew: request.current === null,
    current: toItems(field, current[field.key], names),
    proposed: toItems(field, request.payload[field.key], names),
  }))
}
