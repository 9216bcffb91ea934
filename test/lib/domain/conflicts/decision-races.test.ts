import { expect, test, vi } from 'vitest'
import { createdGameId } from '#lib/domain/conflicts/writer/find-decisions'
import type { Answer, Caller } from '../../../support/clients/caller.ts'
import { insertGame } from '../../../support/rows/rows.ts'
import { useWriterScene } from '../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene({ batchLimits: { pollMs: 5 } })
const dora = await scene.service.caller({ userName: 'dora', isAdmin: true })

const ROUNDS = 4
const MAX_TRIES = 40
const WAIT = { timeout: 60_000, interval: 20 }
const isQueued = (event: string) => event.startsWith('queued')

test('decision against reopen against the writer on one record: always one consistent end', async () => {
  const seen: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const externalId = `v${round}`
    scene.vndb.put({ id: externalId, title: `Raced ${round}` })
    const chosen = await insertGame(scene.service.db, { name: `Chosen ${round}` })
    const candidates = [{ gameId: chosen, slug: 'x', name: 'X', score: 1 }]
    const record = await scene.queue({
      source: 'vndb',
      externalId,
      externalName: `Raced ${round}`,
      decision: null,
      decidedBy: null,
      candidates,
    })
    const post = (admin: Caller, verb: string, body?: unknown) =>
      admin.post(`/conflicts/vndb/${externalId}/${verb}`, { body })
    const answers: Answer[] = []
    /** Repeats a request until it is allowed. */
    const insist = async (say: () => Promise<Answer>) => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const answer = await say()
        answers.push(answer)
        if (answer.status === 200) return
      }
    }
    const skip = () => insist(() => post(scene.admin, 'decision', { gameId: null }))
    const reopen = () => insist(() => post(dora, 'reopen'))
    const match = () =>
      insist(async () => {
        // A reopening may have removed the candidate.
        await post(dora, 'candidates', { gameId: chosen.toHexString() })
        return post(dora, 'decision', { gameId: chosen.toHexString() })
      })
    await skip()
    await Promise.all(round % 2 ? [reopen(), match(), skip(), reopen()] : [reopen(), reopen(), skip(), match()])
    expect(answers.filter(({ status }) => ![200, 400, 409].includes(status))).toEqual([])
    const end = await vi.waitFor(async () => {
      const now = await scene.read(record)
      expect(now.status === 'pending' && now.decision !== null).toBe(false)
      return now
    }, WAIT)

    const owners = await scene.service.db.games.find({ 'vndb.vnId': externalId }).toArray()
    const named = await scene.service.db.games.countDocuments({ name: `Raced ${round}` })
    const wasDecided = answers.filter(({ status }) => status === 200).length > 0
    expect({ failure: end.failure ?? null, owners: owners.length, wasDecided }).toEqual({
      failure: null,
      owners: 1,
      wasDecided: true,
    })
    if (end.status === 'resolved') expect([end.winner, owners[0]?._id]).toEqual([chosen, chosen])
    else expect(owners[0]?._id).toEqual(createdGameId(end))
    if (end.status === 'absent') expect(end.winner).toEqual(createdGameId(end))
    expect(named).toBeLessThanOrEqual(1)

    const decisions = (events: readonly string[]) => events.filter((event) => event !== 'applied')
    const sent = await vi.waitFor(
      async () => {
        const events = await scene.eventsOf(record)
        expect(events.filter((event) => event === 'applied')).toHaveLength(decisions(events).filter(isQueued).length)
        return events
      },
      { timeout: 60_000 },
    )
    expect(`${decisions(sent).join(' ')} `).toMatch(/^(queued-new waiting )*(queued-(new|match) )?$/)
    expect(decisions(sent)).toHaveLength(answers.filter(({ status }) => status === 200).length)
    const last = { resolved: 'queued-match', absent: 'queued-new', pending: 'waiting' }[end.status]
    expect(decisions(sent).at(-1)).toBe(last)
    seen.push(...sent)
  }
  for (const event of ['waiting', 'queued-match']) expect(seen).toContain(event)
}, 600_000)
