/**
 * The role of a word in a title. A `stopword` and a `neutral` edition are often omitted. A `reissue` is mostly a later game,
 * and a `namedEdition` is the same game or a later one. A `derivative` names another game made from the first, and `content`
 * says what an add-on contains. An `instalment` counts the pieces of a series. A `platform` at the end may only name the
 * release.
 */
export type WordClass =
  | 'word'
  | 'number'
  | 'stopword'
  | 'neutral'
  | 'reissue'
  | 'namedEdition'
  | 'derivative'
  | 'content'
  | 'instalment'
  | 'platform'

export const wordsIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

const STOPWORDS = wordsIn(
  'the a an of and in on at to for from by with or n und et le la les der das el los il no wa wo o ga ni ha he de mo',
)

export const isStopword = (word: string) => STOPWORDS.has(word)

const INSTALMENT_WORDS = wordsIn('episode chapter volume part season act book stage series')

const DERIVATIVE_WORDS = wordsIn(
  `remake remaster remastered remasters hd vr demake reboot redux reloaded collection trilogy duology quadrilogy
  anthology compilation bundle pack demo prologue epilogue dlc expansion addon soundtrack ost artbook beta alpha mod
  prototype playtest trial lite mini mobile standalone update`,
)

const STATUS_WORDS = wordsIn('alpha beta playtest')

/** True when a word says how far a game has come. */
export const isStatus = (word: string) => STATUS_WORDS.has(word)

/** Words for the content of a pack, which are often omitted. */
const CONTENT_WORDS = wordsIn(
  'character characters costume costumes content item items map maps skin skins weapon weapons',
)

/** Adjectives before one of `EDITION_NOUNS`: `Pokémon Gold` is no edition of Pokémon. */
const NEUTRAL_ADJECTIVES = wordsIn(
  `deluxe gold golden platinum premium complete ultimate collectors limited standard launch digital goty base retail
  physical full original normal regular bonus preorder cloud signature day one steam windows pc mac
  royal legendary legacy diamond silver founders exclusive year international japanese european american english first print box boxed`,
)
const REISSUE_ADJECTIVES = wordsIn(
  'definitive enhanced special anniversary directors final extended royal legendary legacy',
)

/** Fewer adjectives than for editions, because Pokémon has a Gold Version and a Silver Version. */
const VERSION_ADJECTIVES = wordsIn(
  'full complete retail original special extended international japanese european american english pc windows mac',
)

const EDITION_NOUNS = wordsIn('edition version cut release package box')

/** Words before the number or letter of a copy. */
const COPY_WORDS = wordsIn('disc disk rev')

/** Spellings and abbreviations of one word. */
const SPELLINGS = new Map(
  Object.entries({
    bros: 'brothers',
    versus: 'vs',
    ep: 'episode',
    vol: 'volume',
    pt: 'part',
    ch: 'chapter',
    dr: 'doctor',
    mr: 'mister',
    mt: 'mount',
    jr: 'junior',
    feat: 'featuring',
    ft: 'featuring',
    civ: 'civilization',
    ed: 'edition',
    ver: 'version',
    gray: 'grey',
    color: 'colour',
    theater: 'theatre',
    center: 'centre',
    collector: 'collectors',
    director: 'directors',
  }),
)

const ORDINALS = ['1st', '2nd', '3rd', '4th', '5th', '6th', '7th']
const ORDINAL_WORDS = 'first second third fourth fifth sixth seventh'.split(' ')

export const canonicalSpelling = (word: string) => SPELLINGS.get(word) ?? ORDINALS[ORDINAL_WORDS.indexOf(word)] ?? word

const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve thirteen'.split(' ')
export const ROMANS =
  'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi xxii xxiii xxiv xxv'.split(' ')

export function numberWord(word: string): number | null {
  const value = NUMBER_WORDS.indexOf(word)
  return value < 0 ? null : value
}

/** Reads Roman figures up to 25; null for other words. */
export function romanNumber(word: string): number | null {
  const value = ROMANS.indexOf(word) + 1
  return value === 0 ? null : value
}

const phrasesIn = (kind: WordClass, ...phrases: readonly string[]) => phrases.map((phrase) => [phrase, kind] as const)

const PHRASES = new Map([
  ...phrasesIn('neutral', 'game of the year edition', 'game of the year', 'early access', 'non vr', 'no vr'),
  ...phrasesIn('neutral', 'greatest hits', 'platinum hits', 'playstation hits', 'players choice', 'nintendo selects'),
  ...phrasesIn('derivative', 'add on', 'season pass', 'fan disc'),
  ...phrasesIn('stopword', 'the video game', 'the videogame', 'the game'),
])
const LONGEST_PHRASE = 5

const PLATFORMS = new Set(
  `playstation 2|playstation 3|playstation 4|playstation 5|playstation vita|playstation portable|playstation|psx
ps|ps vita|vita|psp|xbox 360|xbox one|xbox series x|xbox series|xbox|nintendo switch|nintendo ds|nintendo 3ds|nintendo 64|switch
nes|famicom|snes|super nintendo|super nes|super famicom|n 64|gamecube|wii u|wii|ds|3ds|gba|game boy advance|game boy color
game boy|gameboy|gbc|gb|pc|windows|dos|mac|linux|ios|android|dreamcast|saturn|sega saturn|genesis|sega genesis|mega drive
megadrive|sega cd|mega cd|master system|game gear|arcade|amiga|c 64|atari 2600|atari st|zx spectrum|msx|neo geo|stadia|steam|gog`
    // `PS4`, of which the figure is a word of its own here.
    .concat('|ps 1|ps 2|ps 3|ps 4|ps 5')
    .split(/[|\n]/),
)
const LONGEST_PLATFORM = 3

/** Counts the words at the end of a title that name a platform. */
function countPlatformWords(words: readonly string[]): number {
  for (let count = Math.min(LONGEST_PLATFORM, words.length); count > 0; count--) {
    if (PLATFORMS.has(words.slice(-count).join(' '))) return count
  }
  return 0
}

/** True when the words before `edition` are its name, not that of the game or of a platform. */
const isEditionName = (words: readonly string[], at: number, isFirstPart: boolean) =>
  at === words.length - 1 && at > (isFirstPart ? 1 : 0) && countPlatformWords(words.slice(0, at)) === 0

const isAdjective = (word: string | undefined = '') =>
  NEUTRAL_ADJECTIVES.has(word) || REISSUE_ADJECTIVES.has(word) || word === 'goty'

function classifyWord(word: string): WordClass {
  if (STOPWORDS.has(word)) return 'stopword'
  if (word === 'goty') return 'neutral'
  if (DERIVATIVE_WORDS.has(word)) return 'derivative'
  return INSTALMENT_WORDS.has(word) ? 'instalment' : 'word'
}

function classifyPhrases(classes: WordClass[], words: readonly string[], first: number): void {
  for (let at = first; at < words.length; at++) {
    for (let end = Math.min(at + LONGEST_PHRASE, words.length); end > at + 1; end--) {
      const kind = PHRASES.get(words.slice(at, end).join(' '))
      if (kind === undefined) continue
      classes.fill(kind, at, end)
      break
    }
  }
}

function classifyEditions(classes: WordClass[], words: readonly string[], isFirstPart: boolean): void {
  for (const [at, word] of words.entries()) {
    if (!EDITION_NOUNS.has(word)) continue
    // The adjectives right before it, as many as there are: `20th Anniversary Digital Deluxe Edition`.
    let first = at
    const isPart = word === 'version' ? (before = '') => VERSION_ADJECTIVES.has(before) : isAdjective
    while (first > 0 && isPart(words[first - 1])) first--
    if (words[first - 1] === '1' && words[first - 2] === 'day') first -= 2
    const adjectives = words.slice(first, at)
    const isUnknown = adjectives.length === 0 && word === 'edition' && isEditionName(words, at, isFirstPart)
    // `Prepare to Die Edition` may be neutral or a reissue.
    if (isUnknown) first = isFirstPart ? at - 1 : 0
    const isReissue = adjectives.some((adjective) => REISSUE_ADJECTIVES.has(adjective))
    const kind = isUnknown ? 'namedEdition' : isReissue ? 'reissue' : 'neutral'
    if (adjectives.length > 0 && /^\d+(th|st|nd|rd)$/.test(words[first - 1] ?? '')) first--
    let end = at + 1
    // `Game of the Year Edition Deluxe`.
    if (word === 'edition') while (isAdjective(words[end])) end++
    if (adjectives.length > 0 || word === 'edition' || word === 'version') classes.fill(kind, first, end)
  }
}

/** Classifies the words of a part. The first word of a title is always a plain word. */
export function classify(words: readonly string[], isFirstPart: boolean): WordClass[] {
  const classes = words.map(classifyWord)
  const last = words.at(-1)
  classifyPhrases(classes, words, isFirstPart ? 1 : 0)
  classifyEditions(classes, words, isFirstPart)
  // `Tropico: Gold`, `Saints Row IV - Enhanced`.
  if (!isFirstPart && words.every(isAdjective)) {
    classes.fill(words.some((word) => REISSUE_ADJECTIVES.has(word)) ? 'reissue' : 'neutral')
  }
  // `(Disc 2)`, `(Rev A)`.
  if (!isFirstPart && words.length === 2 && COPY_WORDS.has(words[0] ?? '')) classes.fill('neutral')
  if (last === 'complete') classes.fill('neutral', -1)
  if (last === 'deluxe' && classes.at(-1) === 'word' && words.length > 1) classes.fill('namedEdition', -1)
  if (last === 'pack' && CONTENT_WORDS.has(words.at(-2) ?? '')) classes.fill('content', -2, -1)
  classes.fill('platform', words.length - countPlatformWords(words))
  if (isFirstPart && classes[0] !== 'stopword') classes.fill('word', 0, 1)
  return classes
}
