import { html } from 'hono/html'
import { VERSION } from '../../base/version.ts'
import { type DemoAccount, listDemoAccounts } from '../../ops/seed/demo-accounts.ts'
import type { ConsoleFiles, FunctionDeps } from '../http/function-deps.ts'

interface ConsolePage {
  files: Pick<ConsoleFiles, 'script' | 'imports' | 'style'>
  publicUrl: string
  /** Origins whose pages may send changes. */
  allowedOrigins: ReadonlySet<string>
  /** Users that the sign-in dialog offers; empty outside development. */
  demoUsers: readonly DemoAccount[]
  isSignedIn: boolean
  version: string
}

/**
 * Renders the page of the console. Its addresses are relative, so that it works below a prefix.
 */
async function renderConsole({ files, allowedOrigins, ...facts }: ConsolePage): Promise<string> {
  const settings = JSON.stringify({ ...facts, allowedOrigins: [...allowedOrigins] })

  // Browsers would otherwise discover these files only after loading the script.
  const preloads = files.imports.map((name) => html`<link rel="modulepreload" href="console/${name}">`)

  const page = await html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>gamehall</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="console/${files.style}">
  ${preloads}
  <script type="module" src="console/${files.script}"></script>
</head>
<body data-settings="${settings}">
  <noscript>The console needs scripts. <a href="docs">The documentation</a> lists every endpoint.</noscript>
</body>
</html>
`
  return page.toString()
}

interface ShowConsole {
  /** True when the request comes from this machine, through no proxy. */
  isLocal: boolean
  isSignedIn: boolean
}

/** Builds the page's policy. It allows plain http images on an http page only: browsers do not show them on https pages. */
function consolePolicy(publicUrl: string): string {
  const images = publicUrl.startsWith('http:') ? "'self' https: http: data:" : "'self' https: data:"
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gamehall"
  )
}

/** Answers the console's page. It offers demo users to requests from this machine, which may sign in as one. */
export async function showConsole(deps: FunctionDeps, { isLocal, isSignedIn }: ShowConsole): Promise<Response> {
  const { publicUrl, allowedOrigins } = deps.config
  const [files, demoUsers] = await Promise.all([deps.console.files(), isLocal ? listDemoAccounts(deps) : []])
  const page = await renderConsole({ files, publicUrl, allowedOrigins, demoUsers, isSignedIn, version: VERSION })

  return new Response(page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': consolePolicy(publicUrl),
    },
  })
}
