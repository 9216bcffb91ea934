import { AssetParams } from '../../lib/contract/ids.ts'
import { answerAsset } from '../../lib/web/http/asset-answer.ts'
import { defineContent } from '../../lib/web/http/define-function.ts'

export default defineContent({
  summary: 'Serve a style or a script of the documentation page',
  auth: 'public',
  params: AssetParams,
  content: ['text/css', 'text/javascript'],
  errors: ['NOT_FOUND'],

  async handle({ params, header, deps }) {
    return answerAsset(await deps.documents.assets(), params.asset, header('accept-encoding'))
  },
})
