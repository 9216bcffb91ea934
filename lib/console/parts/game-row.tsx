import type { ComponentChildren } from 'preact'
import type { FoundGame } from '../names.ts'
import { linkTo } from '../route.ts'
import { Cover } from './basics.tsx'

type GameSummary = Pick<FoundGame, 'name' | 'cover' | 'type' | 'first_release'>

/** Answers the year and the type, which distinguish games of the same name. The type of a main game is left out. */
export function describeGame({ first_release, type }: Pick<GameSummary, 'first_release' | 'type'>): string {
  const year = first_release === null ? 'No date' : new Date(first_release * 1000).getUTCFullYear()
  return type === null || type.toLowerCase() === 'main game' ? String(year) : `${year} · ${type}`
}

export const GameRow = ({ game }: { game: GameSummary }) => (
  <span class="row nowrap game-row">
    <Cover src={game.cover} name={game.name} />
    <span>
      <span class="game-name">{game.name}</span> <span class="facts">{describeGame(game)}</span>
    </span>
  </span>
)

interface GameCardProps {
  game: { name: string; slug: string; cover: string | null }
  facts: ComponentChildren
  children?: ComponentChildren
}

export const GameCard = ({ game, facts, children }: GameCardProps) => (
  <div class="panel row nowrap game-card">
    <Cover src={game.cover} name={game.name} />
    <div class="fill">
      <a class="game-name" href={linkTo('games', game.slug)}>
        {game.name}
      </a>
      <span class="facts">{facts}</span>
      {children}
    </div>
  </div>
)
