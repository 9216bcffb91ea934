import { html } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { renderHead } from '../pages/render-head.ts'
import type { AsyncApi } from './asyncapi.ts'
import type { DocumentedConfig } from './openapi.ts'
import type { JsonSchema } from './schema-book.ts'

const write = (schema: JsonSchema) => JSON.stringify(schema, null, 2)
const nameIn = ({ $ref }: JsonSchema) => $ref?.split('/').at(-1)

const renderSchema = (schema: JsonSchema) =>
  nameIn(schema) === undefined
    ? html`<pre>${write(schema)}</pre>`
    : html`<a href="#${nameIn(schema)}">${nameIn(schema)}</a>`

function renderRealtime({
  channels,
  operations,
  components,
}: AsyncApi): HtmlEscapedString | Promise<HtmlEscapedString> {
  const sections = Object.values(channels).map(
    ({ address, summary, description, messages }) => html`
    <section>
      <h3><code>${address}</code></h3>
      <p>${summary}</p>
      <p>${description}</p>
      <div class="events">
        ${Object.entries(messages).map(
          ([key, { title, summary, payload }]) => html`
          <article class="event">
            <h4><code>${title}</code> <small>${operations[key]?.action === 'receive' ? 'client → service' : 'service → client'}</small></h4>
            <p>${summary}.</p>
            ${renderSchema(payload)}
          </article>`,
        )}
      </div>
    </section>`,
  )
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) => html`<article class="event" id="${name}"><h4>${name}</h4><pre>${write(schema)}</pre></article>`,
  )
  return html`${sections}<h3>Schemas</h3><div class="events">${schemas}</div>`
}

interface PageOptions {
  asyncApi: AsyncApi
  config: DocumentedConfig
  assetUrl(name: string): string
}

/** Allows scripts and images of this origin alone, and the inline styles of the REST part. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export async function renderPage({ asyncApi, config, assetUrl }: PageOptions): Promise<string> {
  const styles = [assetUrl('swagger-ui.css'), assetUrl('page.css')]
  const page = await html`${renderHead('gamehall: API and events', styles)}
</head>
<body>
  <header>
    <h1>gamehall</h1>
    <nav>
      <a href="#rest">REST</a>
      <a href="#realtime">Realtime</a>
      <a href="openapi.json">openapi.json</a>
      <a href="asyncapi.json">asyncapi.json</a>
      <a href="console">Console</a>
    </nav>
  </header>
  <main>
    <p>The live side of a video-game catalogue at <code>${config.publicUrl}</code>: REST makes every change,
      and Socket.IO announces it.</p>
    <section id="rest">
      <h2>REST</h2>
      <p>“Try it out” uses the session of this browser: <code>POST /auth/login</code> signs in.</p>
      <div id="swagger-ui"><noscript>This part needs scripts; <a href="openapi.json">openapi.json</a> does not.</noscript></div>
    </section>
    <section id="realtime">
      <h2>Realtime</h2>
      <p>Socket.IO below <code>${config.socketPath}</code> of the same origin: HTTP long-polling, then an upgrade to WebSocket. A
        client connects to a namespace by its path; acks answer its requests.</p>
      ${renderRealtime(asyncApi)}
    </section>
  </main>
  <script src="${assetUrl('swagger-ui-bundle.js')}"></script>
  <script src="${assetUrl('page.js')}"></script>
</body>
</html>
`
  return page.toString()
}
