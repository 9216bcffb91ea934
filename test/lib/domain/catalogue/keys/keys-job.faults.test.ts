import { ObjectId } from 'mongodb'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { completeKeys } from '#lib/domain/catalogue/keys/make-keys'
import { findMatches } from '#lib/domain/matching/find-matches'
import { assertNoDuplicates } from '#lib/domain/requests/assert-no-duplicates'
import { createSentBy, IMPORT_INSTANCE } from '#lib/infrastructure/events/sent-by'
import { type SpawnedService, spawnService } from '../../../../support/processes/spawn-service.ts'
import { insertKeyedGame, newGame } from '../../../../support/rows/rows.ts'
import { captureLog } from '../../../../support/service/capture-log.ts'
import { BUSY_MACHINE_MS, useService } from '../../../../support/service/start-service.ts'
import { randomFrom } from '../../../../support/tools/random.ts'

const NAME = 'catalogue/keys'
/** The token of an insert in a collection that does not exist. */
const TOKEN_OF_1970 =
  '8200000001000024562B022C0100296E5A1004912A72032DA24BF08719DB895177D9E946645F696400646B07C8800559FF2D0F91F1850004'
const MISSED = 'changes were missed: all keys are made again'
const service = await useService({ isMakingKeys: true })
const { db, mongodbUri } = service
// These collections write as another program does.
const [games, characters] = ['games', 'characters'].map((name) => db.games.db.collection(name))

const search = async (path: string, searchString: string): Promise<string[]> => {
  const { body } = await service.guest.get(`/${path}/search?searchString=${encodeURIComponent(searchString)}`)
  return body.results.map(({ name }: { name: string }) => name)
}
const game = (name: string, facts = {}) => ({ name, slug: `s-${new ObjectId()}`, ...facts })
const found = (name: string, path = 'games') => expect.poll(() => search(path, name)).toContain(name)
const gone = (name: string) => expect.poll(() => search('games', name)).not.toContain(name)

/** Resolves when the job has handled what was written before. */
async function untilCaughtUp() {
  const name = `Marker ${new ObjectId()}`
  await games?.insertOne(game(name))
  await found(name)
  await games?.deleteOne({ name })
}

it('a game of another program is found by search, by the matcher and by the check for duplicates', async () => {
  await games?.insertOne(game('Ōkami Den', { alternative_names: ['Small God'], companies: [{ name: 'Mobile & Co' }] }))
  await found('Ōkami Den')

  expect(await search('games', 'small god')).toEqual(['Ōkami Den'])
  const candidates = await findMatches({ db }, { name: 'Okami Den', companies: ['Mobile Co'] }, { take: 5 })
  expect(candidates).toMatchObject([{ name: 'Ōkami Den' }])
  const fields = { name: 'Ōkami Den', alternative_names: ['Small God'] }
  const checked = assertNoDuplicates(service.deps, { isForced: false, kind: 'game', fields })
  await expect(checked).rejects.toMatchObject({ code: 'CONFLICT', details: { duplicates: [{ name: 'Ōkami Den' }] } })
})

it('a game of an import keeps its keys until another program renames it', async () => {
  const _id = new ObjectId()
  const sentBy = createSentBy({ instance: IMPORT_INSTANCE })
  await games?.insertOne({ _id, ...game('Imported Lantern'), nameKey: 'of the import', sentBy })
  await untilCaughtUp()
  expect(await games?.findOne({ _id })).toMatchObject({ nameKey: 'of the import' })
  await games?.updateOne({ _id }, { $set: { name: 'Renamed Lantern' } })
  await found('Renamed Lantern')
  await games?.deleteOne({ _id })
})

it('games and characters get new keys after renames, replacements with older keys, and lost names', async () => {
  const _id = new ObjectId()
  await games?.insertOne({ _id, ...game('First Lantern') })
  await found('First Lantern')
  const read = (await games?.findOne({ _id })) ?? {}
  await games?.updateOne({ _id }, { $set: { name: 'Second Lantern' } })
  await found('Second Lantern')
  await gone('First Lantern')
  // An ODM saves a whole document like this.
  await games?.replaceOne({ _id }, { ...read, name: 'Third Lantern' })
  await found('Third Lantern')
  await games?.updateOne({ _id }, { $set: { 'alternative_names.0': 'x' } })
  await games?.updateOne({ _id }, { $unset: { name: 1 } })
  await gone('Third Lantern')

  await characters?.insertOne({ slug: 'mira', name: 'Mira of the Lantern', akas: ['Mirabel'] })
  await found('Mira of the Lantern', 'characters')
  expect(await search('characters', 'mirabel')).toEqual(['Mira of the Lantern'])
})

it('a game that this service stored, and a change of other fields, cause no write', async () => {
  const { _id } = await insertKeyedGame(service.deps, { name: 'Own Game' } as never)
  await games?.updateOne({ _id }, { $set: { views: 1 } })
  const before = await games?.findOne({ _id })
  await untilCaughtUp()

  expect(await games?.findOne({ _id })).toEqual(before)
})

/** A game with keys, renamed by another program while no job runs; the next one starts with the position of the last. */
async function renameBetweenJobs(toPosition: (token: string) => string) {
  const { log, lines } = captureLog()
  const first = await useService({ isMakingKeys: true, timeoutMs: BUSY_MACHINE_MS })
  const { positions, games: stored } = first.db
  const { insertedId: _id } = await stored.insertOne(newGame({ name: 'Before the stop' }))
  const readKey = async () => (await stored.findOne({ _id }))?.nameKey
  await expect.poll(readKey).toBe('before the stop')
  await expect.poll(() => positions.findOne({ _id: NAME })).toHaveProperty('token')
  await first.deps.keysJob.stop()
  await stored.updateOne({ _id }, { $set: { name: 'After the stop' } })

  const { token } = z.object({ token: z.object({ _data: z.string() }) }).parse(await positions.findOne({ _id: NAME }))
  await positions.updateOne({ _id: NAME }, { $set: { token: { _data: toPosition(token._data) } } })
  await useService({ isMakingKeys: true, mongodbUri: first.mongodbUri, timeoutMs: BUSY_MACHINE_MS, log })
  await expect.poll(readKey).toBe('after the stop')
  return { positions, messages: () => lines.map(({ msg }) => msg) }
}

it('the job continues at its position: a game renamed while no job ran is found after the start', async () => {
  const { messages } = await renameBetweenJobs((token) => token)

  expect(messages()).not.toContain(MISSED)
})

it('the job makes all keys again when the history of changes is gone, and stores that until it is done', async () => {
  const { positions, messages } = await renameBetweenJobs(() => TOKEN_OF_1970)

  expect(messages()).toContain(MISSED)
  await expect.poll(() => positions.findOne({ _id: NAME })).not.toHaveProperty('isAllDue')
})

it('two instances, each killed in the middle of a bulk: every document has the keys of its last name', async () => {
  const env = { MONGODB_URI: mongodbUri, LOG_LEVEL: 'warn', JWT_SECRET: 'a secret of at least thirty-two characters' }
  await service.deps.keysJob.stop()
  const spawn = async () => {
    const spawned = await spawnService(env)
    await spawned.ready()
    return spawned
  }
  const running: SpawnedService[] = [await spawn(), await spawn()]
  onTestFinished(async () => void (await Promise.all(running.map((instance) => instance.end('SIGKILL')))))
  const random = randomFrom(7)
  const isKeyed = async () => (await games?.countDocuments({ name: /^Bulk/, nameKey: null })) === 0

  for (let round = 0; round < 2; round += 1) {
    const ids = Array.from({ length: 600 }, () => new ObjectId())
    await games?.insertMany(ids.map((_id, index) => ({ _id, ...game(`Bulk ${round} ${index}`) })))
    const renamed = ids.filter(() => random() < 0.3)
    await Promise.all(renamed.map((_id) => games?.updateOne({ _id }, { $set: { name: `Bulk renamed ${_id}` } })))
    // Whichever has the lease: in two rounds each is killed once.
    await running.shift()?.end('SIGKILL')
    await expect.poll(isKeyed).toBe(true)
    await games?.updateOne({ _id: ids[0] as ObjectId }, { $set: { name: `Bulk last ${round}` } })
    await expect
      .poll(async () => (await games?.findOne({ _id: ids[0] as ObjectId }))?.nameKey)
      .toBe(`bulk last ${round}`)
    running.push(await spawn())
  }
  expect(await completeKeys(db, { isAll: true })).toEqual({ games: 0, characters: 0 })
})
