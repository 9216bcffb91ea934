import { defineContent } from '../lib/http/define-function.ts'

/** Describe every event and ack as an AsyncAPI 3 document. */
export default defineContent({
  auth: 'public',
  content: ['application/json'],
  errors: [],

  async handle({ deps }) {
    return new Response(deps.documents.asyncApi(), { headers: { 'Content-Type': 'application/json' } })
  },
})
