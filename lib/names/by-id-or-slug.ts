import { ObjectId } from 'mongodb'

const ID = /^[0-9a-f]{24}$/i

/** The filter of one entry of the catalogue: 24 hexadecimal characters are an id, since no slug looks like one. */
export const byIdOrSlug = (idOrSlug: string) =>
  ID.test(idOrSlug) ? { _id: new ObjectId(idOrSlug) } : { slug: idOrSlug.toLowerCase() }
