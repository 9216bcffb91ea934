import { html } from 'hono/html'
import type { DescribedNamespace } from './described-namespace.ts'
import { renderRealtime } from './render-realtime.ts'

interface PageOptions {
  namespaces: readonly DescribedNamespace[]
  publicUrl: string
  assetUrl(name: string): string
}

/** Allows scripts and images of this origin alone, and the inline styles of the REST part. */
export const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Renders the page of the documentation. Its addresses are relative, so that it works below a prefix. */
export async function renderPage({ namespaces, publicUrl, assetUrl }: PageOptions): Promise<string> {
  const page = await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>gamehall: API and events</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${assetUrl('swagger-ui.css')}">
  <link rel="stylesheet" href="${assetUrl('page.css')}">
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
    <p class="lead">The live side of a video-game catalogue at <code>${publicUrl}</code>: REST makes every change,
      and Socket.IO announces it.</p>
    <section id="rest">
      <h2>REST</h2>
      <p>“Try it out” uses the session of this browser: <code>POST /auth/login</code> signs in.</p>
      <div id="swagger-ui"><noscript>This part needs scripts; <a href="openapi.json">openapi.json</a> does not.</noscript></div>
    </section>
    <section id="realtime">
      <h2>Realtime</h2>
      <p>Socket.IO below <code>/socket.io/</code> of the same origin: HTTP long-polling, then an upgrade to WebSocket. A
        client connects to a namespace by its path; acks answer its requests.</p>
      ${renderRealtime(namespaces)}
    </section>
  </main>
  <script src="${assetUrl('swagger-ui-bundle.js')}"></script>
  <script src="${assetUrl('page.js')}"></script>
</body>
</html>
`
  return page.toString()
}
