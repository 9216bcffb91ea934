import { DomainError } from '../../base/errors.ts'
import { NEW_ACCOUNT_LINKS } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { listImages, listLinks } from '../markup/list-links.ts'

/** True when a text has more links or images than the stored text, or others. */
const hasMore = (sent: readonly string[], stored: readonly string[]) =>
  sent.length > stored.length || sent.some((address) => !stored.includes(address))

/** Refuses links and images that a new account may not post, but not what is stored already. @throws DomainError INVALID */
export function assertAllowedBody({ isNew }: SessionUser, body: string, stored = ''): void {
  if (!isNew) return
  const links = listLinks(body)
  if (links.length > NEW_ACCOUNT_LINKS && hasMore(links, listLinks(stored)))
    throw new DomainError('INVALID', MESSAGES.newAccountLinks)
  if (hasMore(listImages(body), listImages(stored))) throw new DomainError('INVALID', MESSAGES.newAccountImages)
}
