import { ObjectId } from 'mongodb'
import { isObjectId } from '../../contract/object-id.ts'

/** The filter of one entry of the catalogue: 24 hexadecimal characters are an id, since no slug looks like one. */
export const byIdOrSlug = (idOrSlug: string) =>
  isObjectId(idOrSlug) ? { _id: new ObjectId(idOrSlug) } : { slug: idOrSlug.toLowerCase() }
