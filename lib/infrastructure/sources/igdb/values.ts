import { distinctNames } from '#lib/base/values/distinct-names'

const LINK_FORM = /^https?:\/\/\S+$/i

/** Undefined for an empty list, which is absent in the catalogue. */
export const nonEmpty = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined)

export const nonEmptyNames = (...[names, besides]: Parameters<typeof distinctNames>) =>
  nonEmpty(distinctNames(names, besides))

export const nonEmptyText = (text: string | undefined) => text?.trim() || undefined

export const toLink = (url: string | undefined) => (url !== undefined && LINK_FORM.test(url) ? url : undefined)
