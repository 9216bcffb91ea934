import { linkTo } from '../route.ts'
import { Cover } from './cover.tsx'
import { describeGame, type GameSummary } from './game-row.tsx'

interface GameGridProps {
  /** The name of the list. */
  label: string
  games: readonly (GameSummary & { _id: string; slug: string })[]
}

/** Games as their covers, each a link to its discussion. */
export const GameGrid = ({ label, games }: GameGridProps) => (
  <ul class="grid game-grid large-cover" aria-label={label}>
    {games.map((game) => (
      <li key={game._id}>
        <a href={linkTo('games', game.slug)}>
          <Cover src={game.cover} name={game.name} />
          <span class="game-name">{game.name}</span>
          <span class="facts">{describeGame(game)}</span>
        </a>
      </li>
    ))}
  </ul>
)
