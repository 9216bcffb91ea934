import { LONG_TEXT_MAX } from '../limits.ts'
import type { FieldGroups } from './entry-fields.ts'

/** The fields of a character that can be proposed. */
export const CHARACTER_GROUPS = {
  Character: {
    name: { label: 'Name', kind: 'text', max: 200, merge: 'copy' },
    akas: { label: 'Also known as', kind: 'lines', hint: 'One a line', count: 20, max: 200, merge: 'copy' },
    gameIds: { label: 'Games', kind: 'games', count: 60, merge: 'add' },
    gender: { label: 'Gender', kind: 'text', max: 40, merge: 'copy' },
    species: { label: 'Species', kind: 'text', max: 80, merge: 'copy' },
    countryName: { label: 'Country', kind: 'text', max: 120, merge: 'copy' },
    description: { label: 'Description', kind: 'long', max: LONG_TEXT_MAX, merge: 'copy' },
    mugShot: { label: 'Mug shot', kind: 'image', hint: 'A link to an image', merge: 'image' },
  },
} as const satisfies FieldGroups

export const CHARACTER_FIELDS = CHARACTER_GROUPS.Character
