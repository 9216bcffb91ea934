import { ObjectId } from 'mongodb'
import { PRESETS_LIMIT, ROYAL_GAMES_LIMIT } from '../../../contract/limits.ts'
import { PutPresetBody } from '../../../contract/users.ts'
import { isBcryptHash } from '../../../domain/auth/passwords.ts'
import { ANY_CASE } from '../../../infrastructure/db/collections/users.ts'
import type { ImportRun, SiteDocument } from '../import-run.ts'
import { objectsIn, toIds, toText, toTimes } from '../site-values.ts'
import { insertion, type Part, type Plan } from '../take-part.ts'

/** Reads the presets that can be saved here. Of several with one name the last counts. */
function toPresets(list: unknown) {
  const read = objectsIn(list).flatMap(({ name, preset }) => {
    const hex = Array.isArray(preset) ? toIds(preset).map((id) => id.toHexString()) : preset
    return PutPresetBody.safeParse({ name, preset: hex }).data ?? []
  })
  return [...new Map(read.map((saved) => [saved.name, saved])).values()]
    .slice(0, PRESETS_LIMIT)
    .map(({ name, preset }) => ({
      name,
      preset: typeof preset === 'string' ? preset : preset.map((id) => new ObjectId(id)),
    }))
}

function toUser({ areAdminsKept, isLeftOut }: ImportRun, document: SiteDocument) {
  const { password } = document
  const isAdmin = areAdminsKept && [document.roles].flat().includes('admin')
  const hasPassword = typeof password === 'string' && isBcryptHash(password)
  return {
    _id: document._id,
    userName: toText(document.userName),
    email: toText(document.email)?.normalize('NFC').toLowerCase() ?? null,
    // No password matches it. A reset gives the user one.
    passwordHash: hasPassword ? password : '',
    roles: isAdmin ? ['user', 'admin'] : ['user'],
    avatar: toText(document.avatar) ?? undefined,
    description: toText(document.description) ?? undefined,
    royalGames: toIds(document.royalGames)
      .filter((id) => !isLeftOut('games', id))
      .slice(0, ROYAL_GAMES_LIMIT),
    ...toTimes(document),
  }
}

/** Users and their presets. Fields that are unknown here, such as the refresh token, do not come over. */
export const USERS: Part = {
  of: 'users',
  unique: { fields: ['userName', 'email'], collation: ANY_CASE },
  async plan(documents, run) {
    return documents.map((document): Plan => {
      const user = toUser(run, document)
      if (user.userName === null || user.email === null) return { leftOut: 'it has no name or no address' }
      const { _id, createdAt, updatedAt } = user
      const presets = toPresets(document.presets)
      const changes = presets.length === 0 ? [] : [insertion('presets', { _id, presets, createdAt, updatedAt })]
      if (user.passwordHash !== '') return { document: user, changes }
      return { document: user, changes, counted: 'without a password', note: 'its password hash cannot be used' }
    })
  },
}
