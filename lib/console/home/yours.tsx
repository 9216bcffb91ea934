import { useGames } from '../game-names.ts'
import { Cover } from '../parts/cover.tsx'
import { describeRequest, REQUEST_STATUS } from '../requests/describe-request.ts'
import { useOwnRequests } from '../requests/use-own-requests.ts'
import { linkTo } from '../route.ts'
import { useRoyal } from '../royal/use-royal.ts'

const REQUESTS_SHOWN = 3
const GAMES_SHOWN = 5

function YourRequests() {
  const { answer } = useOwnRequests({ take: REQUESTS_SHOWN })

  return (
    <section class="panel stack tight" aria-labelledby="your-requests">
      <h2 id="your-requests">Your requests</h2>
      <ul class="stack tight" aria-label="Your requests">
        {answer?.results.map((request) => (
          <li key={request._id}>
            <span>{describeRequest(request)}</span>{' '}
            <span class={`badge ${REQUEST_STATUS[request.status].look}`}>{REQUEST_STATUS[request.status].name}</span>
          </li>
        ))}
      </ul>
      {answer?.results.length === 0 && <p class="muted">No requests yet.</p>}
      <a href="#/my-requests">All requests</a>
    </section>
  )
}

function YourRoyalGames() {
  const { games, status } = useRoyal().state
  const shown = games.slice(0, GAMES_SHOWN)
  const known = useGames(shown)

  return (
    <section class="panel stack tight" aria-labelledby="your-royal">
      <h2 id="your-royal">Royal games</h2>
      <ul class="stack tight your-royal" aria-label="Royal games">
        {shown.flatMap((id) => {
          const game = known.get(id)
          return game ? (
            <li key={id}>
              <a class="row" href={linkTo('games', game.slug)}>
                <Cover src={game.cover} name={game.name} />
                <span class="game-name">{game.name}</span>
              </a>
            </li>
          ) : (
            []
          )
        })}
      </ul>
      {status === 'ready' && games.length === 0 && <p class="muted">No royal games yet.</p>}
      <a href="#/royal">All royal games</a>
    </section>
  )
}

/** The newest requests of a signed-in user with their status, and the first royal games. */
export const Yours = () => (
  <aside class="stack" aria-label="Yours">
    <YourRequests />
    <YourRoyalGames />
  </aside>
)
