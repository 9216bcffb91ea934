export interface Settings {
  publicUrl: string
  allowedOrigins: readonly string[]
  demoUsers: readonly { userName: string; email: string; password: string; isAdmin: boolean }[]
  /** True when the page was requested with the cookie of a session. */
  isSignedIn: boolean
  version: string
  socketPath: string
  moderationReasons: readonly string[]
  /** The page of the site that signs in, where the accounts are the site's. */
  signInUrl?: string
  isSignUpOpen: boolean
}

// The page is rendered by `lib/web/pages/show-console.ts`, which writes exactly this.
export const settings = JSON.parse(document.body.dataset.settings ?? '{}') as Settings

/** The service's address as this page reaches it, without a trailing slash. */
export const baseUrl = new URL('.', location.href).href.replace(/\/$/, '')

export const mayChange = settings.allowedOrigins.includes(location.origin)
