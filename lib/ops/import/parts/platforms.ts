import { importMark, SITE_COLLECTIONS } from '../import-run.ts'
import { toPlatform } from '../map-platforms.ts'
import { insertion, type Part } from '../take-part.ts'

export const PLATFORMS: Part = {
  name: 'platforms',
  from: SITE_COLLECTIONS.platforms,
  into: 'platforms',
  async plan(documents, { platforms }) {
    return documents.map((document) => {
      const platform = toPlatform(document)
      if (platforms.has(document._id.toHexString())) return 'mapped'
      if (platform.name === '' || platform.slug === '') return { leftOut: 'it has no name or slug' }
      return { writes: [insertion('platforms', { ...platform, sentBy: importMark() })] }
    })
  },
}
