import type { Answer } from '../../client/index.ts'
import { formatCount } from '../format.ts'
import { SEARCH_MIN_LENGTH, useGameSearch } from '../hooks/use-search.ts'
import { useGames } from '../names.ts'
import { Badge, Busy, Cover, Empty, Page, PersonName, Section, Time } from '../parts/basics.tsx'
import { describeGame, GameCard } from '../parts/game-row.tsx'
import { FilterField } from '../parts/list.tsx'
import { Loaded, useQuery } from '../parts/query.tsx'
import { describeRequest, REQUEST_STATUS } from '../requests/describe-request.ts'
import { useMyRequests } from '../requests/use-my-requests.ts'
import { linkTo, route } from '../route.ts'
import { useRoyal } from '../royal/use-royal.ts'
import { user } from '../session.ts'

const REQUESTS_SHOWN = 3
const GAMES_SHOWN = 5

function YourRequests() {
  const { answer } = useMyRequests({ take: REQUESTS_SHOWN })

  return (
    <Section class="panel" name="Your requests">
      <ul class="stack tight" aria-label="Your requests">
        {answer?.results.map((request) => (
          <li key={request._id}>
            <span>{describeRequest(request)}</span> <Badge {...REQUEST_STATUS[request.status]} />
          </li>
        ))}
      </ul>
      {answer?.results.length === 0 && <p class="muted">No requests yet. Propose what is missing or wrong.</p>}
      <a href="#/my-requests">All requests</a>
    </Section>
  )
}

function YourRoyalGames() {
  const { games, status } = useRoyal().state
  const shown = games.slice(0, GAMES_SHOWN)
  const found = useGames(shown)

  return (
    <Section class="panel" name="Royal games">
      <ul class="stack tight your-royal" aria-label="Royal games">
        {shown.map((id) => {
          const game = found.get(id)
          return (
            game && (
              <li key={id}>
                <a class="row nowrap" href={linkTo('games', game.slug)}>
                  <Cover src={game.cover} name={game.name} />
                  <span class="game-name">{game.name}</span>
                </a>
              </li>
            )
          )
        })}
      </ul>
      {status === 'ready' && games.length === 0 && <p class="muted">No royal games yet. Add the first by its name.</p>}
      <a href="#/royal">All royal games</a>
    </Section>
  )
}

type Discussion = Answer<'GET /discussions'>['results'][number]

const REFRESH_MS = 20_000

const Row = ({ game, commentsCount, last }: Discussion) => (
  <li>
    <GameCard
      game={game}
      facts={
        <>
          <PersonName id={last.author?._id} name={last.author?.userName} />, <Time at={last.createdAt} isLinked /> ·{' '}
          {formatCount(commentsCount, 'comment')}
        </>
      }
    >
      <p class="clamped" dir="auto">
        {last.isSpoiler ? <em>Spoiler</em> : last.excerpt}
      </p>
    </GameCard>
  </li>
)

function ActiveDiscussions() {
  const query = useQuery('GET /discussions', { query: { take: 20 } }, { everyMs: REFRESH_MS })

  return (
    <Section name="Active discussions">
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty title="No comments yet.">Find a game and write the first one.</Empty>
          ) : (
            <ul class="grid game-cards" aria-label="Active discussions">
              {results.map((discussion) => (
                <Row key={discussion.game._id} {...discussion} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  )
}

type Found = Answer<'GET /games/search'>

const TAKE = 24

const describeFound = ({ results, total }: Found) =>
  (total > results.length ? `The first ${results.length} of ` : '') + formatCount(total, 'game')

function Results({ text, found, failure }: { text: string; found?: Found; failure?: string }) {
  if (failure !== undefined) return <Empty title={failure} />
  if (found === undefined) return <Busy label="Searching …" />
  if (found.total === 0) {
    return (
      <Empty title={`No game is called “${text}”.`}>
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

export function DiscussionsView() {
  const wanted = route.value.query.get('search') ?? ''
  const search = useGameSearch(wanted, TAKE)

  return (
    <Page title="Discussions" lead="Comments of readers about a game, live.">
      <div class="find-game">
        <FilterField label="Find a game" parameter="search" placeholder="Chrono Trigger" />
      </div>
      <p class="hidden" aria-live="polite">
        {search.found && describeFound(search.found)}
      </p>
      {wanted.length >= SEARCH_MIN_LENGTH ? (
        <Results text={wanted} {...search} />
      ) : (
        <div class={user.value ? 'split home' : undefined}>
          <ActiveDiscussions />
          {user.value && (
            <aside class="stack waits" aria-label="Yours">
              <YourRequests />
              <YourRoyalGames />
            </aside>
          )}
        </div>
      )}
    </Page>
  )
}
