import type { Answer } from '../../client/index.ts'
import { describeError } from '../describe-error.ts'
import { Busy } from '../parts/busy.tsx'
import { Cover } from '../parts/cover.tsx'
import { Empty } from '../parts/empty.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'
import { useQuery } from '../use-query.ts'

type Discussion = Answer<'GET /discussions'>['results'][number]

const REFRESH_MS = 20_000

const countComments = (count: number) => (count === 1 ? '1 comment' : `${count} comments`)

function Row({ game, commentsCount, last }: Discussion) {
  return (
    <li>
      <a href={linkTo('games', game.slug)}>
        <Cover src={game.cover} name={game.name} />
        <div>
          <strong class="game-name">{game.name}</strong>
          <span class="facts">
            {last.author?.userName ?? 'deleted user'}, <Time at={last.createdAt} isLinked /> ·{' '}
            {countComments(commentsCount)}
          </span>
          <p class="excerpt" dir="auto">
            {last.isSpoiler ? <em>Spoiler</em> : last.excerpt}
          </p>
        </div>
      </a>
    </li>
  )
}

/** The games that people talk about, newest comment first. */
export function ActiveDiscussions() {
  const { answer, error } = useQuery('GET /discussions', { query: { take: 20 } }, { everyMs: REFRESH_MS })

  return (
    <section class="stack" aria-labelledby="active">
      <h2 id="active">Active discussions</h2>
      {answer === undefined && (error ? <Empty title={describeError(error)} /> : <Busy />)}
      {answer?.results.length === 0 && (
        <Empty icon="chat" title="No comments yet.">
          Find a game and write the first one.
        </Empty>
      )}
      {answer && (
        <ul class="active-discussions" aria-label="Active discussions">
          {answer.results.map((discussion) => (
            <Row key={discussion.game._id} {...discussion} />
          ))}
        </ul>
      )}
    </section>
  )
}
