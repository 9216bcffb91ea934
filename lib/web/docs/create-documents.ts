import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { parse } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { VERSION } from '../../base/version.ts'
import { once } from '../../infrastructure/concurrency/once.ts'
import { findHashedName } from '../http/asset-answer.ts'
import type { Asset, Assets, Documents } from '../http/function-deps.ts'
import type { LoadedFunction } from '../http/load-functions.ts'
import { buildAsyncApi } from './asyncapi.ts'
import { buildOpenApi, type DocumentedConfig } from './openapi.ts'
import { renderPage } from './render-page.ts'
import type { DescribedNamespace } from './schema-book.ts'

/** The page's own style: a frame around the REST part, and the realtime part. */
const PAGE_STYLE = `:root {
  color-scheme: light dark;
  --ground: light-dark(#fff, #1c2022);
  --raised: light-dark(#f6f7f9, #262b2e);
  --line: light-dark(#dfe3e8, #3a4145);
  --text: light-dark(#1c2430, #e4e6e6);
  --muted: light-dark(#566172, #a5adb5);
  --accent: light-dark(#6b3fd4, #b79cff);
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
header {
  position: sticky; top: 0; z-index: 10; display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 2rem;
  padding: .75rem 1.5rem; background: var(--raised); border-bottom: 1px solid var(--line);
}
h1 { margin: 0; font-size: 1.25rem; letter-spacing: .02em; }
nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
a { color: var(--accent); text-underline-offset: .2em; }
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h2 { margin: 2rem 0 .5rem; padding-bottom: .25rem; border-bottom: 2px solid var(--accent); font-size: 1.5rem; }
h3 { margin: 2rem 0 .25rem; font-size: 1.25rem; }
h4 { margin: 0; font-size: 1rem; }
p { margin: .5rem 0; }
code, pre { font: .9em/1.5 ui-monospace, 'Cascadia Code', Menlo, Consolas, monospace; }
.lead, .admitted, small { color: var(--muted); }
small { margin-left: .5rem; font-weight: 400; }
.events { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(30rem, 100%), 1fr)); gap: .75rem; margin: .75rem 0; }
.event { padding: .75rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .5rem; }
dl { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .25rem .75rem; margin: .5rem 0 0; }
dt { color: var(--muted); }
dd { margin: 0; }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .wrapper { padding: 0; }
.swagger-ui .info { display: none; }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container {
  margin: 0 0 1rem; padding: 1rem 0; background: none; box-shadow: none;
}
`

const PAGE_SCRIPT = `const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  requestSnippetsEnabled: false,
})
`

/** The build copies two files of a package there, which is none of production: it has 13 MB more. */
const FILES = new URL(
  import.meta.url.endsWith('.ts') ? '../../../node_modules/@fastify/swagger-ui/static/' : '../../../swagger-ui/',
  import.meta.url,
)
const compress = promisify(gzip)

async function withHashedName(file: string, content: Buffer): Promise<[string, Asset]> {
  const { name, ext } = parse(file)
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 12)
  return [`${name}.${digest}${ext}`, { identity: content, gzip: await compress(content) }]
}

async function loadAssets(): Promise<Assets> {
  return new Map(
    await Promise.all([
      withHashedName('page.css', Buffer.from(PAGE_STYLE)),
      withHashedName('page.js', Buffer.from(PAGE_SCRIPT)),
      withHashedName('swagger-ui.css', await readFile(new URL('swagger-ui.css', FILES))),
      withHashedName('swagger-ui-bundle.js', await readFile(new URL('swagger-ui-bundle.js', FILES))),
    ]),
  )
}

interface DocumentsOptions {
  functions: readonly LoadedFunction[]
  namespaces: readonly DescribedNamespace[]
  config: DocumentedConfig
}

export function createDocuments({ functions, namespaces, config }: DocumentsOptions): Documents {
  const assets = once(loadAssets)

  return {
    openApi: once(() => JSON.stringify(buildOpenApi({ functions, config, version: VERSION }))),
    asyncApi: once(() => JSON.stringify(buildAsyncApi({ namespaces, config, version: VERSION }))),
    page: once(async () => {
      const served = await assets()
      return renderPage({
        namespaces,
        config,
        assetUrl: (name) => `docs/${findHashedName(served, name)}`,
      })
    }),
    assets,
  }
}
