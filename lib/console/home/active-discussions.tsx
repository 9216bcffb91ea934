import type { Answer } from '../../client/index.ts'
import { formatCount } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Cover } from '../parts/cover.tsx'
import { Empty } from '../parts/empty.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Time } from '../parts/time.tsx'
import { linkTo } from '../route.ts'

type Discussion = Answer<'GET /discussions'>['results'][number]

const REFRESH_MS = 20_000

function Row({ game, commentsCount, last }: Discussion) {
  return (
    <li>
      <a class="panel" href={linkTo('games', game.slug)}>
        <Cover src={game.cover} name={game.name} />
        <div>
          <strong class="game-name">{game.name}</strong>
          <span class="facts">
            {last.author?.userName ?? 'deleted user'}, <Time at={last.createdAt} isLinked /> ·{' '}
            {formatCount(commentsCount, 'comment')}
          </span>
          <p class="clamped" dir="auto">
            {last.isSpoiler ? <em>Spoiler</em> : last.excerpt}
          </p>
        </div>
      </a>
    </li>
  )
}

/** The games that people talk about, newest comment first. */
export function ActiveDiscussions() {
  const query = useQuery('GET /discussions', { query: { take: 20 } }, { everyMs: REFRESH_MS })

  return (
    <section class="stack list-place" aria-labelledby="active">
      <h2 id="active">Active discussions</h2>
      <Loaded query={query}>
        {({ results }) =>
          results.length === 0 ? (
            <Empty icon="chat" title="No comments yet.">
              Find a game and write the first one.
            </Empty>
          ) : (
            <ul class="grid active-discussions" aria-label="Active discussions">
              {results.map((discussion) => (
                <Row key={discussion.game._id} {...discussion} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
