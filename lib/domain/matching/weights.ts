/**
 * Every number that the matcher was tuned with. A title or a fact gives a signal from 0 (speaks against) to 1 (speaks
 * for). Its weight is counted in log-odds, and their sum, `BIAS` included, is turned into a score from 0 to 1.
 */

/** The similarity of two different words. */
export const WORD_SIMILARITY = {
  joined: 0.99,
  romanised: 0.98,
  /** `It Takes 2`: a number in a word is rarely another one. */
  numberWord: 0.98,
  initials: 0.95,
  /** A single wrong letter of a longer word is most often a slip. */
  oneEdit: 0.93,
  twoEdits: 0.9,
  /** `Alien` and `Aliens` can be two games. */
  plural: 0.82,
  /** `Postal` and `Portal`: another letter makes another word of a short one as soon as a slip does. */
  shortWord: 0.8,
  figure: 0.95,
  /** `Thi4f`, if all else agrees, and `Driv3r` is no `Driver`. */
  figureOrNumber: 0.74,
  /** `X` is ten in Final Fantasy and a letter in Mega Man. */
  letterX: 0.82,
} as const

/** The similarity of two titles by their difference. */
export const TITLE_SIGNALS = {
  equal: 1,
  /** `Deadlock Alpha`: the state of a game, if all else agrees, and `Street Fighter Alpha` is another. */
  status: 0.58,
  stopwords: 0.98,
  /** `Game of the Year Edition` is the same game, sold again. */
  neutralEdition: 0.93,
  /** `Definitive Edition` is mostly a later version, and an entry of its own. */
  reissue: 0.42,
  /** `Prepare to Die Edition`: all else has to agree. */
  namedEdition: 0.52,
  /** `Final Fantasy I`: the first of a series often goes without its number. */
  numberOne: 0.9,
  /** `Prey 2017` for the Prey of that year. */
  sameYear: 0.97,
  /** `Dead Space Remake` for the remake of Dead Space: the type of the other says the word. */
  sameType: 0.97,
  /** `Doom PS4` most often says which release is meant, and `Mario Kart Wii` is a game. */
  platform: 0.88,
  otherOrder: 0.92,
  aside: 0.97,
  /** `Sid Meier's`: a maker's name is left out as often as not. */
  brand: 0.92,
  // `ADDITION_RULES` gives an example of each from here to `derivative`, and of `sequel`.
  leadingPart: 0.85,
  addedLeadingPart: 0.74,
  addedLeadingNumber: 0.78,
  leadingPartWeak: 0.66,
  leftOutPartNumbered: 0.78,
  leftOutPart: 0.7,
  addedPart: 0.37,
  addedToAlternative: 0.66,
  firstPart: 0.5,
  leftOutWordsNumbered: 0.66,
  leftOutWords: 0.54,
  leftOutAroundNumbered: 0.72,
  moreWords: 0.38,
  moreWordsAtEnd: 0.27,
  derivative: 0.25,
  /** Both titles have other words: more shared words give a higher signal, but never an equal title. */
  differentWords: 0.3,
  sequel: 0.12,
  differentNumbers: 0.05,
  /** A name agrees with an alternative name of the other side. */
  alternative: 0.98,
  /** The same while the main names differ in a number: Final Fantasy IV was sold as II. */
  alternativeAgainstNumbers: 0.85,
  /** `Super Mario Bros. / Duck Hunt`: one of two titles in one name may be one of two games. */
  half: 0.66,
  /** `BL` of Borderlands for `Brutal Legend`: what no name of its own game explains may be short for anything. */
  unknownInitials: 0.75,
} as const

/** The weight of a signal, in log-odds: `for` at 1, `against` at 0, nothing at `neutral`. */
export const WEIGHTS = {
  /** An equal title alone makes a likely duplicate, a doubtful one never. */
  title: { neutral: 0.75, for: 2.5, against: 7.5 },
  /** Equal titles of other years are remakes, and close titles of one year often add-ons: against more than for. */
  date: { neutral: 0.5, for: 1.3, against: 4.5 },
  /** Series stay with their makers, and publishers differ by region. */
  companies: { neutral: 0.5, for: 1.2, against: 2.4 },
  /** Ports come to other platforms. */
  platforms: { neutral: 0.5, for: 1.1, against: 1 },
  /** Every source has its own genres. */
  genre: { neutral: 0.5, for: 0.3, against: 0.5 },
  /** An add-on is not its game, and a remake not its original: the catalogue has an entry for each. */
  type: { neutral: 0.5, for: 0.3, against: 4 },
  /** Sources describe games in words of their own: agreement is telling, disagreement hardly. */
  description: { neutral: 0.5, for: 1.2, against: 0.3 },
} as const

/** Corrections for facts that mean more or less together than alone. */
export const TOGETHER = {
  /** Other makers and other platforms: two games of one film or one common word, in log-odds. */
  otherMakersAndPlatforms: -1.5,
  /** Other makers two and more years apart, without signs of a port: two games of one name, in log-odds. */
  otherMakersAndYears: -1.5,
  /** `Prey (2017)` for a game of 2006: the year distinguishes them, in log-odds. */
  otherYearNamed: -2.5,
  /** All games of a series have the platforms of `Golden Sun`: the part of their weight beside a doubtful title or after decades. */
  seriesPlatforms: 0.4,
  /**
   * A late date on platforms of the game is a port, often by other makers, so this part of the weight of both is left.
   * More than ten years later by other makers, or fourteen, it is another game with the same name.
   */
  lateRelease: 0.5,
  lateReleaseTitle: 0.85,
  /** The least title signal for an equal description, because games of a series have the same heroes. */
  descriptionTitle: 0.6,
  /** `Batman`, `Prey`: a title of one word is sooner shared by two games, in log-odds. */
  oneWordTitle: -0.9,
  /** An entry of no known type is rarely a bundle, a port or an add-on, in log-odds. */
  specialTypeAlone: -1.2,
  /** An edition comes a few years after its game: the part of the date's weight that is left. */
  laterEdition: 0.5,
  /** The subtitle of an add-on names the add-on: the part that is left of the signal of a doubtful title. */
  addOnTitle: 0.6,
} as const

/** Signals by the years between the nearest releases. */
export const DATE_SIGNALS = {
  /** The very day is seldom shared by two games of one series. */
  sameDay: 1,
  sameYear: 0.9,
  /** Both sides name the day, and the days differ: regions, or two games. */
  otherDay: 0.8,
  /** Regions follow within a year. */
  oneYear: 0.75,
  /** As many translations as sequels. */
  twoYears: 0.5,
  /** Slow ports and translations. */
  fourYears: 0.3,
  /** More remakes than ports. */
  sixYears: 0.18,
  /** Hardly a port, unless its platform says so. */
  tenYears: 0.05,
  fourteenYears: 0.02,
  /** Remakes, and games of one name. */
  more: 0,
} as const

/** Signals by the part of the platforms that both sides have, of the side with fewer platforms. */
export const PLATFORM_SIGNALS = {
  all: 1,
  /** Few of many: a remake shares the computer with its original. */
  least: 0.5,
  none: 0,
} as const

/** Signals by the two companies that are most alike. */
export const COMPANY_SIGNALS = {
  same: 1,
  /** `Square` and `Square Enix`, `Capcom` and `Capcom Production Studio 4`. */
  kindred: 0.85,
  /** `Ubisoft Montreal` and `Ubisoft Paris`. */
  sameHouse: 0.7,
  /** An abbreviation that may stand for it. */
  abbreviated: 0.5,
  /** A developer beside publishers alone. */
  otherRole: 0.4,
  other: 0,
} as const

/** Signals by the groups of the two types. */
export const TYPE_SIGNALS = {
  /** Most entries are main games, so this says little. */
  same: 1,
  /** Sources draw the line between two kinds of add-ons or of later versions differently. */
  kindred: 0.45,
  /** A game and its expanded version are more often two entries. */
  apart: 0.2,
  other: 0,
} as const

/** Descriptions agree, or differ, with these numbers of distinctive words and shares of common ones. */
export const DESCRIPTION = {
  leastToMatch: 5,
  leastToMismatch: 12,
  match: 0.34,
  mismatch: 0.06,
} as const

/** Shifts every score, so that even evidence gives `LIKELY_DUPLICATE_SCORE`. */
export const BIAS = 1.1

/** The least score of a likely duplicate. */
export const LIKELY_DUPLICATE_SCORE = 0.75

/** Below it a game is too unlike an entry to be shown to a person. */
export const WORTH_SHOWING_SCORE = 0.1

/** The least distance of a sure match to the next one. */
export const COMPETING_WITHIN = 0.1

/** The least signal of a sure title. */
export const SURE_TITLE = 0.9
