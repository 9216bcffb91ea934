import { defineContent } from '../lib/http/define-function.ts'
import { showConsole } from '../lib/pages/show-console.ts'

/** Show the console to readers and admins. */
export default defineContent({
  auth: 'optional',
  content: ['text/html'],
  errors: [],

  async handle({ user, isForwarded, deps }) {
    return await showConsole(deps, { isForwarded, isSignedIn: user !== null })
  },
})
