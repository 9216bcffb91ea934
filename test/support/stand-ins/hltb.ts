import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

/** The game of a page. Absent fields are 0 or empty there. */
type HltbPageGame = { game_id: number; game_name: string } & Record<string, unknown>

const NO_TIMES = Object.fromEntries(
  ['comp_main', 'comp_plus', 'comp_100', 'comp_all', 'invested_co', 'invested_mp'].flatMap((name) => [
    [name, 0],
    [`${name}_count`, 0],
  ]),
)

const EMPTY = {
  game_alias: '',
  game_type: 'game',
  game_image: '',
  comp_lvl_sp: 1,
  comp_lvl_co: 0,
  comp_lvl_mp: 0,
  ...NO_TIMES,
  count_comp: 0,
  review_score: 0,
  profile_platform: '',
  profile_dev: '',
  profile_pub: '',
  profile_genre: '',
  profile_summary: '',
  profile_steam: 0,
  release_world: '0000-00-00',
}

const html = (content: string) =>
  `<!DOCTYPE html><html><head></head><body><div id="__next"></div>${content}</body></html>`

const page = (status: number, content: string): StandInAnswer => ({
  status,
  headers: { 'content-type': 'text/html; charset=utf-8' },
  body: html(content),
})

/** Answers of the site in place of a game, for `fail`. */
export const HLTB_FAILURES = {
  blocked: page(403, '<h1>Access denied</h1>'),
  missing: page(404, '<h1>404</h1>'),
  throttled: page(429, '<h1>Slow down</h1>'),
  withoutScript: page(200, '<h1>A new design</h1>'),
} as const satisfies Record<string, StandInAnswer>

/** Makes a page with any data. */
export const hltbPage = (data: unknown): StandInAnswer =>
  page(
    200,
    // The framework escapes `<`, so that no tag ends within the data.
    `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify(data).replaceAll('<', '\\u003c')}</script>`,
  )

const pageOf = (...game: unknown[]) =>
  hltbPage({
    props: { pageProps: { game: { count: game.length, data: { game, individuality: [], relationships: [] } } } },
    page: '/game/[gameId]',
    buildId: 'a-build',
  })

/** Serves `GET /game/<id>` as HowLongToBeat does, and nothing else. */
export async function startHltbStandIn() {
  const games = new Map<string, HltbPageGame>()

  function answer({ method, path, headers }: StandInRequest): StandInAnswer {
    if (headers['user-agent'] === undefined) return HLTB_FAILURES.blocked
    const game = games.get(/^\/game\/([^/]+)$/.exec(path)?.[1] ?? '')
    if (method !== 'GET' || game === undefined) return HLTB_FAILURES.missing
    return pageOf({ ...EMPTY, ...game })
  }

  const server = await startStandInServer(answer)
  return {
    ...server,
    env: { HLTB_URL: server.url, HLTB_ENABLED: 'true' },
    /** Adds games, or replaces those of the same ids. */
    put(...added: HltbPageGame[]) {
      for (const game of added) games.set(String(game.game_id), game)
    },
  }
}
