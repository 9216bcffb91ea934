import { MESSAGES } from '../lib/contract/messages.ts'
import { type RoyalAck, royalNamespace } from '../lib/contract/namespaces/royal.ts'
import type { Deps } from '../lib/deps.ts'
import {
  addRoyalGames,
  type ListOwner,
  loadRoyalGames,
  moveRoyalGame,
  type RoyalList,
  removeRoyalGames,
  setRoyalGames,
} from '../lib/domain/royal/royal-list.ts'
import { defineNamespace, type RequestCall } from './define-namespace.ts'
import { readActor } from './session.ts'

const serve = <P>(failure: string, verb: (deps: Deps, actor: ListOwner, input: P) => Promise<RoyalList>) => ({
  failure,
  handle: async ({ socket, deps, payload }: RequestCall<P>): Promise<RoyalAck> => ({
    ok: true,
    ...(await verb(deps, readActor(socket), payload)),
  }),
})

/** Reads and changes the royal list of a signed-in user, and sends it to the user's other sockets. */
export const royal = defineNamespace(royalNamespace, {
  admits: 'user',
  requests: {
    'royal:sync': serve(MESSAGES.royalLoadFailed, loadRoyalGames),
    'royal:add': serve(MESSAGES.royalUpdateFailed, addRoyalGames),
    'royal:remove': serve(MESSAGES.royalUpdateFailed, removeRoyalGames),
    'royal:set': serve(MESSAGES.royalUpdateFailed, setRoyalGames),
    'royal:move': serve(MESSAGES.royalUpdateFailed, moveRoyalGame),
  },
})
