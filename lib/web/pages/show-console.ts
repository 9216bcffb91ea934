import { VERSION } from '../../base/version.ts'
import { listDemoAccounts } from '../../ops/seed/demo-accounts.ts'
import type { FunctionDeps } from '../http/function-deps.ts'
import { renderConsole } from './render-console.ts'

interface ShowConsole {
  /** Whether the request comes from this machine, through no proxy. */
  isLocal: boolean
  isSignedIn: boolean
}

/** The page's policy. Proposed images may stand at plain addresses, and a page that came over https would not show them. */
function consolePolicy(publicUrl: string): string {
  const images = publicUrl.startsWith('http:') ? "'self' https: http: data:" : "'self' https: data:"
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src ${images}; connect-src 'self'; base-uri 'none'; ` +
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types gamehall"
  )
}

/** Answers the console's page, with the demo users where whoever asks could sign in as one. */
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
