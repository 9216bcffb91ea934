import type { ConflictReason } from '../../contract/conflicts.ts'

/** An entry of a source that may be one of some games, by slugs. `released` is yyyy, yyyy-mm or yyyy-mm-dd. */
export interface SeedConflict {
  source: 'vndb' | 'igdb' | 'ra'
  externalId: string
  name: string
  originalName?: string
  alternativeNames?: string[]
  description: string
  released?: string
  developers?: string[]
  platforms: string[]
  lengthMinutes?: number
  url: string
  reason: ConflictReason
  candidates: string[]
}

/** A game, by its slug, that may be one of some entries of HowLongToBeat. Scores in points. */
export interface SeedEntriesConflict {
  game: string
  reason: ConflictReason
  entries: {
    id: string
    name: string
    score: number
    releaseYear: number
    platforms: string[]
    details: string[]
  }[]
}

// biome-ignore format: one conflict reads as one paragraph
export const seedConflicts: readonly SeedConflict[] = [
  { source: 'vndb', externalId: 'v50', name: 'Fate/hollow ataraxia', originalName: 'フェイト/ホロウアタラクシア', released: '2005-10-28',
    description: 'Half a year after the war for the Grail, the same four days begin again and again, and nobody in town finds that odd.',
    developers: ['TYPE-MOON'], platforms: ['win', 'psvita'], lengthMinutes: 2400, url: 'https://vndb.org/v50',
    reason: 'competing-candidates', candidates: ['fate-hollow-ataraxia', 'fate-stay-night'] },
  { source: 'vndb', externalId: 'v711', name: 'Gyakuten Saiban', originalName: '逆転裁判', alternativeNames: ['Ace Attorney'], released: '2001-10-12',
    description: 'A young lawyer with a loud voice and very little evidence defends people whom the whole court has given up on.',
    developers: ['Capcom'], platforms: ['gba', 'nds', 'win'], lengthMinutes: 1200, url: 'https://vndb.org/v711',
    reason: 'weak-title', candidates: ['phoenix-wright-ace-attorney'] },
  { source: 'vndb', externalId: 'v2153', name: 'Umineko no Naku Koro ni Chiru', originalName: 'うみねこのなく頃に散', released: '2009-08',
    description: 'The answers to a family murder that was told four times over, each time with another culprit.',
    developers: ['07th Expansion'], platforms: ['win'], lengthMinutes: 3000, url: 'https://vndb.org/v2153',
    reason: 'date-contradicts', candidates: ['umineko-when-they-cry', 'higurashi-when-they-cry'] },
  { source: 'igdb', externalId: '973', name: 'Resident Evil 2', alternativeNames: ['Biohazard 2'], released: '1998-01-21',
    description: 'On his first day a policeman finds his new town overrun by the dead, and the station locked by a man who loved riddles.',
    developers: ['Capcom'], platforms: ['ps', 'n64', 'dc'], url: 'https://www.igdb.com/games/resident-evil-2',
    reason: 'competing-candidates', candidates: ['resident-evil-2', 'resident-evil-2-2019'] },
  { source: 'igdb', externalId: '387', name: 'Final Fantasy VI', alternativeNames: ['Final Fantasy III', 'FF6'], released: '1994-04-02',
    description: 'Fourteen people, an empire that burns magic for fuel, and a jester who should never have been let near it.',
    platforms: ['snes'], url: 'https://www.igdb.com/games/final-fantasy-vi',
    reason: 'no-company-evidence', candidates: ['final-fantasy-vi', 'final-fantasy-vi-advance'] },
  { source: 'igdb', externalId: '2207', name: 'Shadow of the Colossus', alternativeNames: ['Wander and the Colossus'],
    description: 'A bow, a sword, a horse and sixteen giants that had done nothing to anybody.',
    platforms: ['ps2'], url: 'https://www.igdb.com/games/shadow-of-the-colossus',
    reason: 'unverified-title', candidates: ['shadow-of-the-colossus', 'shadow-of-the-colossus-2018'] },
  { source: 'ra', externalId: '337', name: 'Super Metroid',
    description: 'An achievement set for the third hunt below the surface of Zebes.',
    platforms: ['snes'], url: 'https://retroachievements.org/game/337',
    reason: 'no-company-evidence', candidates: ['super-metroid', 'metroid'] },
  { source: 'ra', externalId: '10003', name: 'Super Mario 64',
    description: 'An achievement set for a castle full of paintings that are best entered head first.',
    platforms: ['n64'], url: 'https://retroachievements.org/game/10003',
    reason: 'unverified-title', candidates: ['super-mario-64', 'super-mario-world'] },
  { source: 'ra', externalId: '10113', name: 'Legend of Zelda, The: Ocarina of Time',
    description: 'An achievement set for seven years slept through and five songs to set them right.',
    platforms: ['n64'], url: 'https://retroachievements.org/game/10113',
    reason: 'weak-title', candidates: ['the-legend-of-zelda-ocarina-of-time', 'the-legend-of-zelda-majora-s-mask'] },
]

// biome-ignore format: one entry a line
export const seedEntriesConflicts: readonly SeedEntriesConflict[] = [
  { game: 'portal', reason: 'competing-candidates', entries: [
    { id: '7230', name: 'Portal', score: 97, releaseYear: 2007, platforms: ['PC', 'PlayStation 3', 'Xbox 360'], details: ['Main story 3 h'] },
    { id: '7231', name: 'Portal 2', score: 62, releaseYear: 2011, platforms: ['PC', 'PlayStation 3', 'Xbox 360'], details: ['Main story 8.5 h'] },
  ] },
  { game: 'doom-2016', reason: 'date-contradicts', entries: [
    { id: '2708', name: 'Doom', score: 94, releaseYear: 2016, platforms: ['PC', 'PlayStation 4', 'Xbox One'], details: ['Main story 11.5 h'] },
    { id: '2701', name: 'Doom', score: 71, releaseYear: 1993, platforms: ['PC', 'Super Nintendo'], details: ['Main story 5 h'] },
  ] },
  { game: 'god-of-war', reason: 'competing-candidates', entries: [
    { id: '3978', name: 'God of War', score: 95, releaseYear: 2005, platforms: ['PlayStation 2'], details: ['Main story 9 h'] },
    { id: '38050', name: 'God of War', score: 68, releaseYear: 2018, platforms: ['PlayStation 4', 'PC'], details: ['Main story 21 h'] },
  ] },
]
