import { once } from '../../infrastructure/concurrency/once.ts'
import { findHashedName } from '../http/asset-answer.ts'
import type { Documents } from '../http/function-deps.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import { loadAssets } from '../pages/built-files.ts'
import { buildAsyncApi, type DescribedNamespace } from './asyncapi.ts'
import { buildOpenApi, type DocumentedConfig } from './openapi.ts'
import { renderPage } from './render-page.ts'

interface DocumentsOptions {
  functions: readonly LoadedFunction[]
  namespaces: readonly DescribedNamespace[]
  config: DocumentedConfig
}

export function createDocuments({ functions, namespaces, config }: DocumentsOptions): Documents {
  const assets = once(() => loadAssets('docs'))
  const asyncApi = once(() => buildAsyncApi(namespaces, config))

  return {
    openApi: once(() => JSON.stringify(buildOpenApi(functions, config))),
    asyncApi: once(() => JSON.stringify(asyncApi())),
    page: once(async () => {
      const served = await assets()
      const assetUrl = (name: string) => `docs/${findHashedName(served, name)}`
      return renderPage({ asyncApi: asyncApi(), config, assetUrl })
    }),
    assets,
  }
}
