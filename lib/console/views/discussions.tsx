import type { Answer } from '../../client/index.ts'
import { TextField } from '../fields/text-field.tsx'
import { formatCount } from '../format.ts'
import { Page } from '../frame/page.tsx'
import { ActiveDiscussions } from '../home/active-discussions.tsx'
import { Yours } from '../home/yours.tsx'
import { useAddressText } from '../hooks/use-address.ts'
import { SEARCH_MIN_LENGTH } from '../hooks/use-debounced.ts'
import { useGameSearch } from '../hooks/use-game-search.ts'
import { Busy } from '../parts/busy.tsx'
import { Empty } from '../parts/empty.tsx'
import { GameCard } from '../parts/game-card.tsx'
import { describeGame } from '../parts/game-row.tsx'
import { user } from '../session.ts'

type Found = Answer<'GET /games/search'>

const TAKE = 24

function describeFound({ results, total }: Found): string {
  if (total > results.length) return `The first ${results.length} of ${total} games`
  return formatCount(total, 'game')
}

function Results({ text, found, failure }: { text: string; found?: Found; failure?: string }) {
  if (failure !== undefined) return <Empty title={failure} />
  if (found === undefined) return <Busy label="Searching …" />
  if (found.total === 0) {
    return (
      <Empty icon="search" title={`No game is called “${text}”.`}>
        <a href="#/my-requests?propose=game">Propose it</a>
      </Empty>
    )
  }
  return (
    <section class="stack" aria-label="Results">
      <p class="muted">{describeFound(found)}</p>
      <ul class="grid game-cards" aria-label="Games found">
        {found.results.map((game) => (
          <li key={game._id}>
            <GameCard game={game} facts={describeGame(game)} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Active discussions, the user's own requests and royal games, and the search for a game. */
export function DiscussionsView() {
  const { text, setText, addressed: wanted } = useAddressText('search')
  const search = useGameSearch(wanted, TAKE)

  return (
    <Page title="Discussions" lead="What readers say about a game, live.">
      <div class="find-game">
        <TextField
          label="Find a game"
          type="search"
          autocomplete="off"
          placeholder="Chrono Trigger"
          value={text}
          onInput={setText}
        />
      </div>
      <p class="hidden" aria-live="polite">
        {search.found && describeFound(search.found)}
      </p>
      {wanted.length >= SEARCH_MIN_LENGTH ? (
        <Results text={wanted} {...search} />
      ) : (
        <div class={user.value ? 'split home' : undefined}>
          <ActiveDiscussions />
          {user.value && <Yours />}
        </div>
      )}
    </Page>
  )
}
