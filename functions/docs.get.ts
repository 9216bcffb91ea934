import { PAGE_POLICY } from '../lib/web/docs/render-page.ts'
import { defineContent } from '../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Serve both documents as one page',
  auth: 'public',
  content: ['text/html'],

  async handle({ deps }) {
    return new Response(await deps.documents.page(), {
      headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY },
    })
  },
})
