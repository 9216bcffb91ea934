import { defineContent } from '../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Describe every endpoint as an OpenAPI 3.1 document',
  auth: 'public',
  content: ['application/json'],

  async handle({ deps }) {
    return new Response(deps.documents.openApi(), { headers: { 'Content-Type': 'application/json' } })
  },
})
