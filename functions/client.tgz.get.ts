import { defineContent } from '../lib/web/http/define-function.ts'
import { loadClientPackage } from '../lib/web/pages/load-client-package.ts'

export default defineContent({
  summary: 'Serve the client of this version as an npm package',
  auth: 'public',
  content: ['application/gzip'],
  errors: ['NOT_FOUND'],

  async handle() {
    return new Response(await loadClientPackage(), {
      headers: { 'Content-Type': 'application/gzip', 'Content-Disposition': 'attachment; filename="client.tgz"' },
    })
  },
})
