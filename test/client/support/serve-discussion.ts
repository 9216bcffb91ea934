import type { Call } from '#lib/client/call'
import type { DiscussionParts } from '#lib/client/live-discussion'
import type { CommentSort } from '#lib/contract/comments'
import { type DiscussionModel, ME, type Row } from './discussion-model.ts'
import type { World } from './world.ts'

interface Input {
  params: Record<string, string>
  query?: Record<string, string | number>
  body?: Record<string, string>
  headers?: Record<string, string>
  signal?: AbortSignal
}

export function serveDiscussion(world: World, model: DiscussionModel): DiscussionParts {
  /** Lists the rows behind the `after` cursor. Its row may have moved or gone since it was read. */
  const list = (rows: Row[], sort: CommentSort | 'replies', { after, take = 10 }: Input['query'] = {}) => {
    const [likes = '', ...place] = `${after ?? ''}`.split('_')
    const isBehind = ({ likedBy, createdAt, _id }: Row) => {
      if (sort === 'top' && likedBy.size !== Number(likes)) return likedBy.size < Number(likes)
      const [own, other] = [`${createdAt}_${_id}`, place.join('_')]
      return sort === 'replies' ? own > other : own < other
    }
    const behind = after === undefined ? rows : rows.filter(isBehind)
    return { results: behind.slice(0, Number(take)).map(model.toWire), total: rows.length }
  }
  const routes: Record<string, (input: Input) => unknown> = {
    'GET /games/:gameId/comments': ({ query }) => {
      const sort = query?.sort === 'new' ? 'new' : 'top'
      return list(model.listRows(sort), sort, query)
    },
    'GET /comments/:id': ({ params }) => model.toWire(model.readListed(params.id ?? '')),
    'GET /comments/:id/replies': ({ params, query }) => {
      const rows = model.listReplies(params.id ?? '')
      if (query?.around === undefined) return list(rows, 'replies', query)
      const before = Math.floor((Number(query.take) - 1) / 2)
      const at = rows.filter(({ _id }) => _id < `${query.around}`).length
      const around = rows.slice(Math.max(0, at - before), at - before + Number(query.take))
      return { results: around.map(model.toWire), total: rows.length }
    },
    'POST /comments': ({ body, headers }) =>
      model.toWire(
        model.change(() =>
          model.create(ME, { parentId: body?.parentId ?? null, isForAll: headers?.['x-socket-id'] === undefined }),
        ),
      ),
    'PUT /comments/:id/like': ({ params }) => model.change(() => model.like(params.id ?? '', ME, true)),
    'DELETE /comments/:id/like': ({ params }) => model.change(() => model.like(params.id ?? '', ME, false)),
    'PATCH /comments/:id': ({ params }) => model.toWire(model.change(() => model.edit(params.id ?? ''))),
    'DELETE /comments/:id': ({ params }) =>
      model.toWire(model.change(() => model.setStatus(params.id ?? '', 'deleted'))),
    'PATCH /comments/:id/status': ({ params, body }) =>
      model.toWire(
        model.change(() => model.setStatus(params.id ?? '', body?.status === 'hidden' ? 'hidden' : 'visible')),
      ),
    'POST /comments/:id/report': ({ params }) => {
      model.rows.get(params.id ?? '')?.reportedBy.add(ME)
      return { isReported: true }
    },
  }
  const call = (route: string, input: Input) => world.http(() => routes[route]?.(input), input.signal)
  world.onCut = () => {
    model.isJoined = false
  }

  return {
    // The model answers by the names of the routes; their types are those of the service.
    call: call as unknown as Call,
    session: { get: () => ({ status: 'signed-out', user: null }), subscribe: () => () => {} },
    socket: {
      get id() {
        return world.isConnected && model.isJoined ? 'socket' : undefined
      },
      connection: world.connection,
      // The model's events are those of the contract.
      on: world.on as unknown as DiscussionParts['socket']['on'],
      // The store's only request is the join.
      request: () =>
        new Promise((resolve, reject) =>
          world.ask(
            () => {
              model.isJoined = true
              return { ok: true }
            },
            (ack: never) => (ack ? resolve(ack) : reject(new Error('lost'))),
          ),
        ),
      send: () => {},
      close: () => {},
    },
    later: world.later,
  }
}
