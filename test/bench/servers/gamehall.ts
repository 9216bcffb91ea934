import { ObjectId } from 'mongodb'
import { createService } from '#lib/app'
import { readConfig } from '#lib/base/config'
import { createDeps } from '#lib/create-deps'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import { createLogger } from '#lib/infrastructure/observability/log'
import { type Announcement, answerParent } from '../answer-parent.ts'
import { BENCH_SECRET } from '../scene.ts'

const uri = process.env.BENCH_MONGODB_URI ?? ''
const { BENCH_PORT: PORT = '0', BENCH_CONFIG = '{}' } = process.env
const config = readConfig({
  PORT,
  COMMENT_CHANGES_PER_MINUTE: '1000000',
  JWT_SECRET: BENCH_SECRET,
  ...JSON.parse(BENCH_CONFIG),
})
const log = createLogger(config.logLevel)
const deps = createDeps({ config, log, jwtSecret: BENCH_SECRET, db: openDatabase(uri) })
// A request with this id reads the database: its cached page is dropped, as the write of a comment does.
const { pages } = deps.commentCaches
const service = await createService(deps)
service.http.prependListener('request', ({ headers, url = '' }) => {
  if (headers['x-request-id'] === 'changed') pages.drop(url.slice('/games/'.length, '/games/'.length + 24))
})
const port = await service.listen()

answerParent({
  port: () => port,
  /** Takes the likes of the viewer back as a change of this instance: its feed has nothing to follow afterwards. */
  takeBack: async () => {
    const me = new ObjectId(process.env.BENCH_VIEWER)
    const update = { $pull: { likedBy: me }, $inc: { likesCount: -1, rev: 1 }, $set: { sentBy: createSentBy(deps) } }
    return (await deps.db.comments.updateMany({ likedBy: me }, update)).modifiedCount
  },
  /** Makes the keys of what other programs store, as a service does. */
  makeKeys: () => {
    deps.keysJob.start()
    return 0
  },
  /** Walks the sources of `SYNC`, and writes what was matched. */
  walk: () => {
    deps.sourceSyncs.start()
    deps.batchWriter.start()
    return 0
  },
  /** Announces changes of likes in one turn, as the like endpoint does. */
  announce: (value) => {
    // The bench sends an Announcement only.
    const { gameId, events } = value as Announcement
    for (let likesCount = 0; likesCount < events; likesCount++) {
      deps.emit.comments.likes({ gameId, commentId: '0'.repeat(24), likesCount })
    }
    return 0
  },
})
