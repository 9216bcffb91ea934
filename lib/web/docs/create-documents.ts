import type { Config } from '../../base/config.ts'
import { VERSION } from '../../base/version.ts'
import { once } from '../../infrastructure/concurrency/once.ts'
import { findHashedName } from '../http/asset-answer.ts'
import type { Documents } from '../http/function-deps.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import { buildAsyncApi } from './asyncapi.ts'
import type { DescribedNamespace } from './described-namespace.ts'
import { loadAssets } from './load-assets.ts'
import { buildOpenApi } from './openapi.ts'
import { renderPage } from './render-page.ts'

interface DocumentsOptions {
  functions: readonly LoadedFunction[]
  namespaces: readonly DescribedNamespace[]
  config: Pick<Config, 'publicUrl'>
}

export function createDocuments({ functions, namespaces, config: { publicUrl } }: DocumentsOptions): Documents {
  const assets = once(loadAssets)

  return {
    openApi: once(() => JSON.stringify(buildOpenApi({ functions, publicUrl, version: VERSION }))),
    asyncApi: once(() => JSON.stringify(buildAsyncApi({ namespaces, publicUrl, version: VERSION }))),
    page: once(async () => {
      const served = await assets()
      return renderPage({ namespaces, publicUrl, assetUrl: (name) => `docs/${findHashedName(served, name)}` })
    }),
    assets,
  }
}
