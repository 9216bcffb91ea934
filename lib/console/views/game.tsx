import type { Answer } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { Discussion } from '../discussion/discussion.tsx'
import { LinkedComment } from '../discussion/linked-comment.tsx'
import { usePlatforms } from '../names.ts'
import { Busy, Button, Cover, EmptyPage, Page } from '../parts/basics.tsx'
import { describeGame } from '../parts/game-row.tsx'
import { useQuery } from '../parts/query.tsx'
import type { ViewProps } from '../route.ts'

type Game = Answer<'GET /games/:idOrSlug'>

function Facts({ game }: { game: Game }) {
  const platforms = usePlatforms()
  const names = (game.platformIds ?? []).flatMap((id) => platforms.find(({ _id }) => _id === id)?.name ?? [])
  const listCompanies = (role: 'developer' | 'publisher') =>
    (game.companies ?? []).flatMap((company) => (company[role] ? company.name : []))
  const facts = {
    'Developed by': listCompanies('developer'),
    'Published by': listCompanies('publisher'),
    On: names,
    Genres: game.genres ?? [],
  }

  return (
    <dl class="game-facts">
      {Object.entries(facts).map(
        ([name, values]) =>
          values.length > 0 && (
            <div key={name}>
              <dt class="muted">{name}</dt>
              <dd>{values.join(', ')}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

const About = ({ game }: { game: Game }) => (
  <div class="row about">
    <Cover src={game.cover} name={game.name} />
    <div class="stack">
      {game.summary && <p dir="auto">{game.summary}</p>}
      <Facts game={game} />
      <p>
        <a href={`#/my-requests?propose=game-correction&target=${game._id}`}>Suggest a correction</a>
      </p>
    </div>
  </div>
)

export function GameView({ idOrSlug = '', commentId }: ViewProps) {
  const { answer: game, error, load } = useQuery('GET /games/:idOrSlug', { params: { idOrSlug } })

  if (game === undefined) {
    return error ? (
      <EmptyPage title={describeError(error)} text="No discussion could be loaded from this address.">
        <Button onClick={load} text="Try again" /> <a href="#/discussions">Find a game</a>
      </EmptyPage>
    ) : (
      <Busy />
    )
  }

  const { first_release = null, type = null } = game
  return (
    <Page title={game.name} lead={describeGame({ first_release, type })}>
      <div class="game-view">
        <About game={game} />
        <div class="stack">
          {commentId && <LinkedComment id={commentId} game={game} />}
          <Discussion gameId={game._id} />
        </div>
      </div>
    </Page>
  )
}
