const TYPES = [
  'Main Game',
  'DLC',
  'Expansion',
  'Bundle',
  'Standalone Expansion',
  'Mod',
  'Episode',
  'Season',
  'Remake',
  'Remaster',
  'Expanded Game',
  'Port',
  'Fork',
  'Pack / Addon',
  'Update',
]

const STATUSES = ['Released', 'Alpha', 'Beta', 'Early Access', 'Offline', 'Cancelled', 'Rumored', 'Delisted']

const toLetters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')

/** Finds a text of IGDB among those of the catalogue, however it is spelled; a new one of theirs is not in it. */
function among(vocabulary: readonly string[]): (text: string | undefined) => string | undefined {
  const byLetters = new Map(vocabulary.map((each) => [toLetters(each), each]))
  return (text = '') => byLetters.get(toLetters(text))
}

export const findType = among(TYPES)
export const findStatus = among(STATUSES)
