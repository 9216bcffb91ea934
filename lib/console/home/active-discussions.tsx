import type { Answer } from '../../client/index.ts'
import { formatCount } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { Empty } from '../parts/empty.tsx'
import { GameCard } from '../parts/game-card.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Time } from '../parts/time.tsx'

type Discussion = Answer<'GET /discussions'>['results'][number]

const REFRESH_MS = 20_000

function Row({ game, commentsCount, last }: Discussion) {
  return (
    <li>
      <GameCard
        game={game}
        facts={
          <>
            {last.author?.userName ?? 'deleted user'}, <Time at={last.createdAt} isLinked /> ·{' '}
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
            <ul class="grid game-cards" aria-label="Active discussions">
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
