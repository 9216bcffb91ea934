import { defineContent } from '../lib/web/http/define-function.ts'
import { showConsole } from '../lib/web/pages/show-console.ts'

export default defineContent({
  summary: 'Serve the console',
  auth: 'optional',
  content: ['text/html'],

  handle: ({ viewer, isLocal, deps }) => showConsole(deps, { isLocal, isSignedIn: viewer !== null }),
})
