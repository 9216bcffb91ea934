import { z } from 'zod'
import { Id } from '../ids.ts'
import { ROYAL_GAMES_LIMIT } from '../limits.ts'
import { MESSAGES } from '../messages.ts'
import type { ClientEvents, Namespace, ServerEvents } from './namespace.ts'

const gameIds = z.array(Id, { error: MESSAGES.royalBounds })
const picked = gameIds.min(1, MESSAGES.royalBounds).max(ROYAL_GAMES_LIMIT, MESSAGES.royalBounds)
const payload = <S extends z.core.$ZodLooseShape>(shape: S) => z.object(shape, { error: MESSAGES.payloadNotObject })

export const RoyalSync = payload({}).optional()
export const RoyalAdd = payload({
  gameIds: picked,
  position: z.enum(['start', 'end'], { error: MESSAGES.royalPosition }).default('end'),
})
export const RoyalRemove = payload({ gameIds: picked })
export const RoyalSet = payload({
  gameIds: z.array(Id, { error: MESSAGES.royalSetBounds }).max(ROYAL_GAMES_LIMIT, MESSAGES.royalSetBounds),
})

export const RoyalMove = payload({ gameId: Id, before: Id.nullable() })

/** `royalGames` is the list after the request; `rejected` holds requested ids that are not in it. */
export const RoyalAck = z.union([
  z.object({ ok: z.literal(true), royalGames: z.array(Id), rejected: z.array(Id) }),
  z.object({ ok: z.literal(false), error: z.string() }),
])
export type RoyalAck = z.infer<typeof RoyalAck>

export const RoyalChanged = z.object({ royalGames: z.array(Id) })
export type RoyalChanged = z.infer<typeof RoyalChanged>

export const royalNamespace = {
  path: '/royal',
  summary:
    "The signed-in user's ordered list of royal games, synchronised over all tabs and devices. A suspended user reads it only.",
  requests: {
    'royal:sync': { summary: 'Read the stored list', payload: RoyalSync, ack: RoyalAck },
    'royal:add': { summary: 'Add games before or after the list', payload: RoyalAdd, ack: RoyalAck },
    'royal:remove': { summary: 'Remove games', payload: RoyalRemove, ack: RoyalAck },
    'royal:set': { summary: 'Replace the whole list', payload: RoyalSet, ack: RoyalAck },
    'royal:move': { summary: 'Move a listed game before another, or to the end', payload: RoyalMove, ack: RoyalAck },
  },
  events: {
    'royal:changed': { summary: 'Another socket of the user changed the list', payload: RoyalChanged },
  },
} as const satisfies Namespace

export type RoyalClientEvents = ClientEvents<typeof royalNamespace>
export type RoyalServerEvents = ServerEvents<typeof royalNamespace>
