import type { Db, Document, ObjectId } from 'mongodb'
import type { Database } from '../../infrastructure/db/connect.ts'
import { toId, toNumber, toText, toTimes } from './site-values.ts'

const KEYS = ['slug', 'igdbId', 'vndbId', 'raConsoleId'] as const

export function toPlatform({ _id, raId, ...fields }: Document & { _id: ObjectId }) {
  return {
    ...fields,
    _id,
    name: toText(fields.name) ?? '',
    slug: toText(fields.slug) ?? '',
    igdbId: toNumber(fields.igdbId) ?? undefined,
    vndbId: toText(fields.vndbId) ?? undefined,
    raConsoleId: toNumber(raId ?? fields.raConsoleId) ?? undefined,
    ...toTimes({ ...fields, _id }),
  }
}

/** Maps platforms of the site, by their ids in hex, to the ids of the same platforms here. */
export async function mapPlatforms(site: Db, db: Database): Promise<ReadonlyMap<string, ObjectId>> {
  const all: (Pick<ReturnType<typeof toPlatform>, '_id'> & Document)[] = await db.platforms.find().toArray()
  const mapped = new Map<string, ObjectId>()
  for await (const document of site.collection('platforms').find().sort({ _id: 1 })) {
    const _id = toId(document._id)
    if (_id === null || all.some((platform) => platform._id.equals(_id))) continue
    const added = toPlatform({ ...document, _id })
    const same = all.find((platform) => KEYS.some((key) => added[key] && platform[key] === added[key]))
    if (same) mapped.set(_id.toHexString(), same._id)
    else all.push(added)
  }
  return mapped
}
