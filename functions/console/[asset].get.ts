import { AssetParams } from '../../lib/contract/files.ts'
import { defineContent } from '../../lib/http/define-function.ts'
import { findConsoleAsset } from '../../lib/pages/find-console-asset.ts'

export default defineContent({
  summary: 'Serve a style or a script of the console',
  auth: 'public',
  params: AssetParams,
  content: ['text/css', 'text/javascript'],
  errors: ['NOT_FOUND'],

  async handle({ params, deps }) {
    const { content, type } = await findConsoleAsset(deps, params.asset)

    return new Response(content, {
      headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    })
  },
})
