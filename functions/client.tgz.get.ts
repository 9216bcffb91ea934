import { defineContent } from '../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Serve the client of this version as an npm package',
  auth: 'public',
  content: ['application/gzip'],
  errors: ['NOT_FOUND'],

  async handle({ deps }) {
    return new Response(await deps.clientPackage(), {
      headers: { 'Content-Type': 'application/gzip', 'Content-Disposition': 'attachment; filename="client.tgz"' },
    })
  },
})
