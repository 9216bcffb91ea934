import { html } from 'hono/html'
import type { DemoAccount } from '../../ops/seed/demo-accounts.ts'
import type { ConsoleFiles } from '../http/function-deps.ts'

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
export async function renderConsole({ files, allowedOrigins, ...facts }: ConsolePage): Promise<string> {
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
