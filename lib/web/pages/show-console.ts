import { VERSION } from '../../base/version.ts'
import { listDemoAccounts } from '../../ops/seed/demo-accounts.ts'
import type { FunctionDeps } from '../http/function-deps.ts'
import { renderConsole } from './render-console.ts'

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
