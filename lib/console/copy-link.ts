import { notify, notifyError } from './notices.ts'

/** Copies the whole address of a view. */
export async function copyLink(address: string): Promise<void> {
  const { href } = new URL(address, location.href)
  try {
    await navigator.clipboard.writeText(href)
    notify('Link copied')
  } catch {
    // Browsers refuse it to a page without https, and where the reader forbids it.
    notifyError(new Error(`The browser does not let this page copy. The link is ${href}`))
  }
}
