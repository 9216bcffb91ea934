import { hasSessionToken } from '../lib/domain/auth/session-user.ts'
import { defineContent } from '../lib/web/http/define-function.ts'
import { showConsole } from '../lib/web/pages/show-console.ts'

export default defineContent({
  summary: 'Serve the console',
  // The page opens during an outage of the database: it waits for the session itself.
  auth: 'public',
  content: ['text/html'],

  async handle({ header, isLocal, deps }) {
    return await showConsole(deps, { isLocal, isSignedIn: await hasSessionToken(deps, header('cookie')) })
  },
})
