import { html } from 'hono/html'
import { VERSION } from '../../base/version.ts'
import type { FunctionDeps } from '../http/function-deps.ts'
import { renderHead } from './render-head.ts'

/** Builds the page's policy. It allows plain http images on an http page only: browsers do not show them on https pages. */
function consolePolicy(publicUrl: string): string {
  const images = publicUrl.startsWith('http:') ? "'self' https: http: data:" : "'self' https: data:"
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gamehall"
  )
}

/** Answers the console's page. It offers demo users to requests from this machine, which may sign in as one. */
export async function showConsole(
  deps: FunctionDeps,
  { isLocal, isSignedIn }: { isLocal: boolean; isSignedIn: boolean },
): Promise<Response> {
  const { publicUrl, allowedOrigins, socketPath, moderationReasons, site, isSignUpOpen } = deps.config
  const [files, demoUsers] = await Promise.all([deps.console.files(), isLocal ? deps.console.listDemoAccounts() : []])
  const facts = {
    publicUrl,
    allowedOrigins: [...allowedOrigins],
    demoUsers,
    isSignedIn,
    version: VERSION,
    socketPath,
    moderationReasons,
    signInUrl: site?.signInUrl,
    isSignUpOpen,
  }
  // Browsers would otherwise discover these files only after loading the script.
  const preloads = files.imports.map((name) => html`<link rel="modulepreload" href="console/${name}">`)
  const page = await html`${renderHead('gamehall', [`console/${files.style}`])}
  ${preloads}
  <script type="module" src="console/${files.script}"></script>
</head>
<body data-settings="${JSON.stringify(facts)}">
  <noscript>The console needs scripts. <a href="docs">The documentation</a> lists every endpoint.</noscript>
</body>
</html>
`
  return new Response(page.toString(), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': consolePolicy(publicUrl),
    },
  })
}
