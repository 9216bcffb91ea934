import { type StandInAnswer, type StandInRequest, startStandInServer } from './stand-in-server.ts'

/** A game in the form of the source. Absent fields are those of a game without achievements. */
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

/** The fields of a game in a list. */
const LISTED = ['ID', 'Title', 'ConsoleID', 'ConsoleName', 'ImageIcon', 'NumAchievements'] as const

/** Serves `API_GetGameExtended.php` and `API_GetGameList.php` as RetroAchievements does, with one key that it knows. */
export async function startRaStandIn({ key = 'a-web-api-key' } = {}) {
  const games = new Map<string, RaWireGame>()

  function answer({ method, path, query }: StandInRequest): StandInAnswer {
    const isList = path === '/API/API_GetGameList.php'
    if (method !== 'GET' || !(isList || path === '/API/API_GetGameExtended.php'))
      return { status: 404, body: '<h1>Not Found</h1>' }
    if (query.get('y') !== key) return UNAUTHENTICATED
    if (isList) return { body: list(query) }
    const id = query.get('i') ?? ''
    if (!/^\d{1,18}$/.test(id)) return INVALID_ID

    const game = games.get(id)
    return { body: game === undefined ? [] : { ...PLAIN, ...game } }
  }

  /** The games of a console with achievements, by title. */
  function list(query: URLSearchParams) {
    const all = [...games.values()].map((game) => ({ ...PLAIN, ...game }))
    const ofConsole = all.filter((game) => game.ConsoleID === Number(query.get('i')) && game.NumAchievements > 0)
    const from = Number(query.get('o') ?? 0)
    return ofConsole
      .sort((a, b) => (a.Title < b.Title ? -1 : 1))
      .slice(from, from + Number(query.get('c') ?? ofConsole.length))
      .map((game) => Object.fromEntries(LISTED.map((field) => [field, game[field]])))
  }

  const server = await startStandInServer(answer)
  return {
    ...server,
    env: { RA_API_URL: `${server.url}/API`, RA_API_KEY: key },
    /** Adds games, or replaces those of the same ids. */
    put(...added: RaWireGame[]) {
      for (const game of added) games.set(String(game.ID), game)
    },
    remove: (id: number) => games.delete(String(id)),
  }
}
