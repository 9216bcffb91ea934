import type { Source } from '../../contract/sources.ts'

/** The name of each source, in the order of the tabs. */
export const SOURCE_NAMES: Readonly<Record<Source, string>> = {
  vndb: 'VNDB',
  igdb: 'IGDB',
  hltb: 'HLTB',
  ra: 'RetroAchievements',
}

// Object.keys answers strings; these are the keys of the type.
export const SOURCES = Object.keys(SOURCE_NAMES) as readonly Source[]

export const isSource = (text: string | null | undefined): text is Source => SOURCES.some((source) => source === text)
