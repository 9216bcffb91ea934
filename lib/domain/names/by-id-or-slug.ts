import { ObjectId } from 'mongodb'
import { isObjectId } from '../../contract/object-id.ts'

/** Filters one entry of the catalogue. 24 hexadecimal characters are an id, because no slug has that form. */
export const byIdOrSlug = (idOrSlug: string) =>
  isObjectId(idOrSlug) ? { _id: new ObjectId(idOrSlug) } : { slug: idOrSlug.toLowerCase() }
