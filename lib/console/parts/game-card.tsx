import type { ComponentChildren } from 'preact'
import { linkTo } from '../route.ts'
import { Cover } from './cover.tsx'

interface GameCardProps {
  game: { name: string; slug: string; cover: string | null }
  /** A line below the name. */
  facts: ComponentChildren
  children?: ComponentChildren
}

/** A game with its cover, as a whole a link to its discussion. */
export const GameCard = ({ game, facts, children }: GameCardProps) => (
  <a class="panel row game-card" href={linkTo('games', game.slug)}>
    <Cover src={game.cover} name={game.name} />
    <div class="fill">
      <strong class="game-name">{game.name}</strong>
      <span class="facts">{facts}</span>
      {children}
    </div>
  </a>
)
