import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { namespaces } from '../realtime/namespaces.ts'
import { attachRealtime, type RealtimeDeps } from '../realtime/server.ts'
import { DomainError } from './base/errors.ts'
import { MESSAGES } from './contract/messages.ts'
import type { Deps } from './deps.ts'
import { createDemoAccounts } from './domain/auth/demo-users.ts'
import { createFeedListener } from './follow-changes.ts'
import { once } from './infrastructure/concurrency/once.ts'
import { CLOSE_TIMEOUT_MS, KEEP_ALIVE_MS } from './infrastructure/concurrency/timeouts.ts'
import { createDocuments } from './web/docs/create-documents.ts'
import { createHttpServer } from './web/http/create-http-server.ts'
import { createFallbackResponse } from './web/http/fallback-response.ts'
import { createHandlerFactory, type HandlerOptions } from './web/http/handler.ts'
import type { HttpEnv } from './web/http/http-env.ts'
import { listen } from './web/http/listen.ts'
import { isServed, loadFunctions } from './web/http/load-functions.ts'
import { mount } from './web/http/mount.ts'
import { observe } from './web/http/observe.ts'
import { createOnError } from './web/http/on-error.ts'
import { createPreflight, responseHeaders } from './web/http/response-headers.ts'
import { loadClientPackage, loadConsole } from './web/pages/built-files.ts'

interface AppOptions extends Partial<HandlerOptions> {
  functionsFolder?: string
}

async function createApp(deps: Deps, { functionsFolder, areAnswersChecked = false, ...options }: AppOptions) {
  const app = new Hono<HttpEnv>()
  app.use(observe(deps), responseHeaders(deps.config))

  const functions = await loadFunctions(functionsFolder)
  const documents = createDocuments({
    functions: functions.filter((each) => isServed(deps.config, each)),
    namespaces,
    config: deps.config,
  })
  const [files, clientPackage] = [once(loadConsole), once(loadClientPackage)]
  mount(app, {
    functions,
    createHandlers: createHandlerFactory(
      { ...deps, documents, clientPackage, console: { files, listDemoAccounts: createDemoAccounts(deps) } },
      { areAnswersChecked, ...options },
    ),
    preflight: createPreflight(deps.config),
    indexNowKey: deps.config.indexNow?.key,
  })
  app.notFound(() => {
    throw new DomainError('NOT_FOUND', MESSAGES.nothingHere)
  })
  app.onError(createOnError(deps.log))
  // The service runs from its sources, too, where no build has made the files.
  const readFiles = () => Promise.allSettled([files(), clientPackage(), documents.assets()])
  return { fetch: app.fetch, readFiles }
}

export const listJobs = (deps: Deps) => [
  deps.batchWriter,
  deps.sourceSyncs,
  deps.requestsCleanUp,
  deps.accountErasure,
  deps.commentActs,
  deps.keysJob,
]

export async function createService(deps: RealtimeDeps, options: AppOptions = {}) {
  const app = await createApp(deps, options)
  const listener = getRequestListener(app.fetch, {
    // HTTP/1.0 health checks name no host.
    hostname: 'localhost',
    errorHandler: createFallbackResponse(deps.log),
  })
  const http = createHttpServer(listener, { log: deps.log, trustProxy: deps.config.trustProxy })
  http.keepAliveTimeout = KEEP_ALIVE_MS
  const realtime = attachRealtime(http, deps)

  return {
    http,
    /** Reads all files that endpoints serve, which a later build or installation may take away. */
    readFiles: app.readFiles,
    async listen(): Promise<number> {
      // A client that connects must receive every later change.
      await deps.feed.open(createFeedListener(deps))
      await deps.operationsSampler.start()
      return listen(http, deps.config)
    },

    /** Stops accepting, lets requests finish, rolls approvals back and closes sockets, within `withinMs`. */
    async close(withinMs = CLOSE_TIMEOUT_MS): Promise<void> {
      // A kept-alive connection would hold the close until its client goes.
      const idle = setInterval(() => http.closeIdleConnections(), 100)
      const deadline = setTimeout(() => http.closeAllConnections(), withinMs)
      try {
        const work = Promise.all([...listJobs(deps), deps.approvalRunner].map((job) => job.stop()))
        // Work that waits for the outside is abandoned: the next start finds in the database what remains to be done.
        await Promise.all([realtime.close(), Promise.race([work, sleep(withinMs, undefined, { ref: false })])])
      } finally {
        clearInterval(idle)
        clearTimeout(deadline)
        deps.operationsSampler.stop()
        await deps.feed.close()
      }
    },
  }
}
