import { MongoClient, ObjectId } from 'mongodb'
import { buildGameKeys } from '../../lib/domain/catalogue/games/insert-game.ts'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { randomFrom } from '../support/tools/random.ts'

const SERIES =
  `Super Mario|Final Fantasy|Dragon Quest|Grand Theft Auto|Call of Duty|Need for Speed|Resident Evil|Metal Gear Solid
The Legend of Zelda|Mega Man|Mega Man X|Street Fighter|Mortal Kombat|Star Wars|Assassin's Creed|Tom Clancy's Rainbow Six
Sid Meier's Civilization|Age of Empires|The Elder Scrolls|Fallout|Pokémon|Kirby|Sonic the Hedgehog|Castlevania|Tomb Raider
Silent Hill|Doom|Quake|Half-Life|Halo|Gears of War|God of War|Uncharted|Ratchet & Clank|The Sims|SimCity|FIFA|Madden NFL
NBA 2K|WWE SmackDown|Warhammer 40,000|Total War|Command & Conquer|Warcraft|Diablo|StarCraft|Far Cry|Crysis|Battlefield
Medal of Honor|Hitman|Dragon Ball Z|Naruto|One Piece|Gundam|Tales of|Shin Megami Tensei|Persona|Kingdom Hearts|Ys|Fire Emblem`
    .split(/[|\n]/)
    .map((name) => name.trim())

const WORDS =
  `the of and world super dark war adventure legend story dragon quest battle simulator space hero night dead lost
last shadow island tower king racing city magic sword soul star fantasy blood fire zombie monster puzzle ninja knight dungeon
escape ball tales light edge red black moon heart evil rise school love dream girl cat empire tactics golf soccer tennis party
time new age kingdom warrior wars gun rush run tank train farm life garden island castle forest ghost witch demon angel robot
cyber future galaxy planet pirate treasure secret mystery murder detective horror house doll mansion hotel hospital prison city
street fighter champion master academy online arena legends heroes chronicles origins awakening rebirth returns revenge fury
storm thunder ice snow winter summer ocean sea river mountain desert valley sky cloud sun dawn dusk twilight eternal infinite`.split(
    /\s+/,
  )

const GENRES = 'Adventure|Role-playing (RPG)|Shooter|Platform|Puzzle|Racing|Sport|Strategy|Indie'.split('|')
const SYLLABLES = 'ka lo mi ra ten shi vor dal gri nu be sol tha ri qua zen mor eli fy dra kun os wy ber'.split(' ')
const VOCABULARY = 12_000
const EDITIONS = ['Deluxe Edition', 'Game of the Year Edition', 'Remastered', 'HD', 'Season Pass', 'Definitive Edition']
const NUMERALS = ['', 'II', 'III', 'IV', 'V', 'VI', '2', '3', '4', '5', '2004', '98']

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Generates an endless catalogue, the same each time: series with numbers and subtitles, and titles of words as frequent as in life. */
export function* generateGames(seed = 1): Generator<GameDocument> {
  const random = randomFrom(seed)
  const below = (end: number) => Math.floor(random() * end)
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const invent = () => capital(Array.from({ length: 2 + below(3) }, () => pick(SYLLABLES)).join(''))
  const vocabulary = [...WORDS.map(capital), ...Array.from({ length: VOCABULARY }, invent)]
  /** The n-th word is about n times rarer than the first. */
  const word = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? ''
  const words = (count: number) => Array.from({ length: count }, word).join(' ')
  const companies = Array.from(
    { length: 3_000 },
    () => `${invent()} ${pick(['Games', 'Studios', 'Entertainment', 'Soft'])}`,
  )
  const platforms = Array.from({ length: 60 }, () => new ObjectId())

  const title = () => {
    if (random() < 0.75) return random() < 0.3 ? `${words(1 + below(3))}: ${words(1 + below(3))}` : words(1 + below(4))
    const head = `${pick(SERIES)} ${pick(NUMERALS)}`.trim()
    if (random() < 0.15) return `${head}: ${pick(EDITIONS)}`
    return random() < 0.7 ? `${head}: ${words(1 + below(3))}` : head
  }

  const taken = new Set<string>()
  /** A catalogue hardly has two games of one title, however frequent its words are. */
  const newTitle = (): string => {
    const name = title()
    if (taken.has(name)) return newTitle()
    taken.add(name)
    return name
  }

  for (let number = 0; ; number++) {
    const name = newTitle()
    const now = new Date()
    const first_release = Date.UTC(1980 + below(45), below(12), 1 + below(28)) / 1000
    const facts = {
      name,
      alternative_names: Array.from({ length: random() < 0.4 ? 1 + below(3) : 0 }, () => words(1 + below(3))),
      companies: [
        { name: pick(companies) ?? '', developer: true },
        { name: pick(companies) ?? '', publisher: true },
      ],
      igdb: { gameId: number + 1, total_rating_count: Math.floor(2_000 * random() ** 8) },
    }
    yield {
      _id: new ObjectId(),
      slug: `generated-${number}`,
      ...facts,
      type: random() < 0.8 ? 'Main Game' : 'DLC',
      first_release,
      platformIds: Array.from({ length: 1 + below(4) }, () => pick(platforms) ?? new ObjectId()),
      genres: [pick(GENRES) ?? 'Indie'],
      summary: words(60),
      ...buildGameKeys(facts),
      createdAt: now,
      updatedAt: now,
    }
  }
}

const BATCH = 1_000

/** Stores games without the time limits of a request, which a filling database may miss. */
export async function fillCatalogue(uri: string, size: number): Promise<void> {
  const client = new MongoClient(uri)
  const games = generateGames()
  for (let at = 0; at < size; at += BATCH) {
    const documents = Array.from({ length: BATCH }, () => games.next().value)
    await client.db().collection('games').insertMany(documents, { ordered: false })
  }
  await client.close()
}

/** Writes a title as somebody may search for it. */
export function mistype(name: string, random: () => number): string {
  const kind = random()
  if (kind < 0.3) return name
  if (kind < 0.5) return name.toLowerCase().replace(/[^a-z0-9 ]/g, ' ')
  if (kind < 0.7) return `${name} - Deluxe Edition`
  const at = 1 + Math.floor(random() * Math.max(1, name.length - 2))
  return name.slice(0, at) + name.slice(at + 1)
}
