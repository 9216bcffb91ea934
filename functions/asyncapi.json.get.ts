import { defineContent } from '../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Describe every event and ack as an AsyncAPI 3 document',
  auth: 'public',
  content: ['application/json'],

  async handle({ deps }) {
    return new Response(deps.documents.asyncApi(), { headers: { 'Content-Type': 'application/json' } })
  },
})
