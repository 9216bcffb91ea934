import { Cover } from './cover.tsx'

export interface GameSummary {
  name: string
  cover: string | null
  type: string | null
  first_release: number | null
}

/** The year of Unix seconds. */
export const toYear = (seconds: number) => new Date(seconds * 1000).getUTCFullYear()

/** A game as a list shows it: cover, name, and what tells it from its namesakes. */
export function GameRow({ game }: { game: GameSummary }) {
  const facts = [
    game.first_release === null ? undefined : String(toYear(game.first_release)),
    game.type === null || game.type === 'Main Game' ? undefined : game.type,
  ].filter(Boolean)
  return (
    <span class="game-row">
      <Cover src={game.cover} name={game.name} />
      <span>
        <span class="game-name">{game.name}</span>
        {facts.length > 0 && <span class="facts">{facts.join(' · ')}</span>}
      </span>
    </span>
  )
}
