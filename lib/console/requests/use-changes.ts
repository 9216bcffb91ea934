import type { ReviewedRequest } from '../../contract/requests.ts'
import { formatCount, formatList } from '../format.ts'
import { useGames } from '../game-names.ts'
import { describeGame } from '../parts/game-row.tsx'
import { usePlatforms } from '../proposal/use-platforms.ts'
import { listGameIds } from '../proposal/values.ts'
import { listProposed } from './describe-request.ts'
import { type Change, toItems } from './value-items.ts'

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

/** The current and proposed values of a request's fields, with names in place of ids. */
export function useChanges(request: ReviewedRequest): Change[] {
  const platforms = usePlatforms()
  const fields = listProposed(request)
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
