import { AssetParams } from '../../lib/contract/files.ts'
import { findAsset } from '../../lib/docs/find-asset.ts'
import { defineContent } from '../../lib/http/define-function.ts'

export default defineContent({
  summary: 'Serve a style or a script of the documentation page',
  auth: 'public',
  params: AssetParams,
  content: ['text/css', 'text/javascript'],
  errors: ['NOT_FOUND'],

  async handle({ params, deps }) {
    const { content, type } = await findAsset(deps, params.asset)

    return new Response(content, {
      headers: { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable' },
    })
  },
})
