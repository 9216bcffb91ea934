import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

/** A game as the source has it; what is not given is what it says of one without achievements. */
type RaWireGame = { ID: number; Title: string } & Record<string, unknown>

const PLAIN = {
  ConsoleID: 1,
  ConsoleName: 'Genesis/Mega Drive',
  ForumTopicID: null,
  Flags: null,
  ImageIcon: '/Images/000001.png',
  ImageTitle: '/Images/000002.png',
  ImageIngame: '/Images/000002.png',
  ImageBoxArt: '/Images/000002.png',
  Publisher: null,
  Developer: null,
  Genre: null,
  Released: null,
  ReleasedAtGranularity: null,
  IsFinal: false,
  RichPresencePatch: '',
  GuideURL: null,
  Updated: '2026-01-02T03:04:05.000000Z',
  ParentGameID: null,
  NumDistinctPlayers: 0,
  NumAchievements: 0,
  Achievements: {},
  Claims: [],
  NumDistinctPlayersCasual: 0,
  NumDistinctPlayersHardcore: 0,
}

const UNAUTHENTICATED: StandInAnswer = {
  status: 401,
  body: {
    message: 'Unauthenticated.',
    errors: [{ status: 419, code: 'unauthorized', title: 'Unauthenticated.' }],
  },
}

const INVALID_ID: StandInAnswer = {
  status: 422,
  body: { message: 'The i field must be an integer.', errors: { i: ['The i field must be an integer.'] } },
}

/** Serves `GET /API/API_GetGameExtended.php` as RetroAchievements does, with one key that it knows. */
export async function startRaStandIn({ key = 'a-web-api-key' } = {}) {
  const games = new Map<string, RaWireGame>()

  function answer({ method, path, query }: StandInRequest): StandInAnswer {
    if (method !== 'GET' || path !== '/API/API_GetGameExtended.php') return { status: 404, body: '<h1>Not Found</h1>' }
    if (query.get('y') !== key) return UNAUTHENTICATED
    const id = query.get('i') ?? ''
    if (!/^\d{1,18}$/.test(id)) return INVALID_ID

    const game = games.get(id)
    return { body: game === undefined ? [] : { ...PLAIN, ...game } }
  }

  const server = await startStandInServer(answer)
  return {
    ...server,
    env: { RA_API_URL: `${server.url}/API`, RA_API_KEY: key },
    /** Adds games, or puts them in the place of those of the same ids. */
    put(...given: RaWireGame[]) {
      for (const game of given) games.set(String(game.ID), game)
    },
  }
}
