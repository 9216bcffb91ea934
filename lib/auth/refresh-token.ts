import { createHash, randomBytes } from 'node:crypto'

const TOKEN = /^(?<familyId>[\w-]{22})\.[\w-]{43}$/

export const createFamilyId = () => randomBytes(16).toString('base64url')

/** Makes a token of a family. It names the family, so that one rotated long ago is still recognised. */
export const createRefreshToken = (familyId: string) => `${familyId}.${randomBytes(32).toString('base64url')}`

/** The family that a token names; undefined when it has not the form of one. */
export const readFamilyId = (token: string) => TOKEN.exec(token)?.groups?.familyId

/** What is stored instead of a token. */
export const hashRefreshToken = (token: string) => createHash('sha256').update(token).digest('base64url')
