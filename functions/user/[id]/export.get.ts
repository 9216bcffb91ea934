import { IdParams } from '#lib/contract/ids'
import { exportAccount } from '#lib/domain/accounts/export-account'
import { defineContent } from '#lib/web/http/define-function'

export default defineContent({
  summary: 'Export everything that belongs to the own account as one JSON object; at most five an hour',
  description:
    'Keys: profile, comments, likes, reports, royalGames, presets, requests, notifications, sessions, suspensions.',
  auth: 'user',
  params: IdParams,
  content: ['application/json'],
  errors: ['FORBIDDEN', 'RATE_LIMITED', 'UNAUTHORIZED'],

  async handle({ params, viewer, cookies, deps }) {
    const parts = await exportAccount(deps, { userId: params.id, viewer, tokens: cookies })
    const encoder = new TextEncoder()
    // A `TextEncoderStream` looks at each character by itself.
    const encode = new TransformStream<string, Uint8Array>({
      transform: (part, controller) => controller.enqueue(encoder.encode(part)),
    })

    return new Response(ReadableStream.from(parts).pipeThrough(encode), {
      headers: {
        'Content-Type': 'application/json',
        'Content-Disposition': 'attachment; filename="gamehall-account.json"',
        'Cache-Control': 'no-store',
      },
    })
  },
})
