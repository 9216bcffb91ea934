import { FileParams } from '#lib/contract/ids'
import { findLocalFile } from '#lib/infrastructure/storage/find-local-file'
import { defineContent } from '#lib/web/http/define-function'
import { answerFile } from '#lib/web/http/file-answer'

export default defineContent({
  summary: 'Serve an image that is stored as a local file, also after images have moved to a bucket',
  auth: 'public',
  params: FileParams,
  content: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],

  async handle({ params, method, header, deps }) {
    const { folder, entityId, objectId } = params
    const file = await findLocalFile(deps, `${folder}/${entityId}/${objectId}`)

    return answerFile(file, { method, header })
  },
})
