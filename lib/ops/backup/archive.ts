import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { BSON, type ClientSession, type Collection } from 'mongodb'
import { extract } from 'tar-stream'
import { z } from 'zod'
import { StartError } from '../../base/errors.ts'

export const MANIFEST = 'manifest.json'
export const DOCUMENTS = 'documents'
export const OBJECTS = 'objects'
export const OBJECTS_AT_ONCE = 8

/** The last member of a file. A file without it was cut off. */
export const Manifest = z.object({
  format: z.literal(1),
  app: z.string(),
  schema: z.int(),
  /** The file holds every write that was acknowledged by then. */
  at: z.iso.datetime(),
  collections: z.record(z.string(), z.int()),
  /** The number of objects; null in a file without them. */
  objects: z.int().nullable(),
  /** Keys of objects that documents name and the storage did not have. */
  missing: z.array(z.string()),
  /** SHA-256 of each other member, in their order. */
  members: z.record(z.string(), z.string()),
})
export type Manifest = z.infer<typeof Manifest>

const PART_BYTES = 8_000_000
/** The one-time link of a user. A reader of the file could not use it, but a restore would make it valid again. */
const LEFT_OUT = { resetLink: 0 }

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Reads all documents of a collection in the order of their ids, as lines of EJSON. The same documents yield the same parts. */
export async function* readParts(collection: Collection, session?: ClientSession) {
  const cursor = collection.find(
    {},
    { sort: { _id: 1 }, projection: LEFT_OUT, promoteValues: false, bsonRegExp: true, ...(session && { session }) },
  )
  let lines: Buffer[] = []
  let size = 0
  let number = 0
  const takePart = () => {
    number += 1
    const name = `${DOCUMENTS}/${collection.collectionName}/${String(number).padStart(6, '0')}.ejson`
    const part = { name, bytes: Buffer.concat(lines), count: lines.length }
    lines = []
    size = 0
    return part
  }
  for await (const document of cursor) {
    const line = Buffer.from(`${BSON.EJSON.stringify(document, { relaxed: false })}\n`)
    if (size > 0 && size + line.length > PART_BYTES) yield takePart()
    lines.push(line)
    size += line.length
  }
  if (size > 0) yield takePart()
}

async function* readMembers(path: string): AsyncGenerator<{ name: string; bytes: Buffer }> {
  const members = extract()
  const fed = pipeline(createReadStream(path), members)
  // The members end with the same failure.
  fed.catch(() => {})
  for await (const member of members) yield { name: member.header.name, bytes: await buffer(member) }
  await fed
}

/** Checks every member of a file, and hashes its manifest. @throws StartError naming a damaged member */
export async function checkFile(path: string): Promise<{ manifest: Manifest; hash: string }> {
  const sums = new Map<string, string>()
  let written: unknown
  let hash = ''
  try {
    for await (const { name, bytes } of readMembers(path)) {
      if (name === MANIFEST) {
        written = JSON.parse(bytes.toString())
        hash = sha256(bytes)
      } else sums.set(name, sha256(bytes))
    }
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const { data: manifest } = Manifest.safeParse(written)
  if (manifest === undefined) throw new StartError(`${path} is no whole backup: it has no manifest that can be read`)
  const names = new Set([...sums.keys(), ...Object.keys(manifest.members)])
  const damaged = [...names].find((name) => sums.get(name) !== manifest.members[name])
  if (damaged !== undefined) throw new StartError(`${path} is damaged: ${damaged} is not as it was written`)
  return { manifest, hash }
}

export async function* readCheckedMembers(path: string, { members }: Manifest) {
  for await (const { name, bytes } of readMembers(path)) {
    if (name === MANIFEST) continue
    if (sha256(bytes) !== members[name]) throw new StartError(`${path} has changed meanwhile`)
    yield { name, bytes }
  }
}
