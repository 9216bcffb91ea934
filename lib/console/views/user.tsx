import { useState } from 'preact/hooks'
import type { Answer } from '../../client/index.ts'
import { formatExactTime } from '../format.ts'
import { Page } from '../frame/page.tsx'
import { hall } from '../hall.ts'
import { useQuery } from '../hooks/use-query.ts'
import { notifyError } from '../notices.ts'
import { Button, Time } from '../parts/basics.tsx'
import { Loaded } from '../parts/loaded.tsx'
import type { ViewProps } from '../route.ts'
import { request } from '../session.ts'

/** The page of a user for admins. */
export function UserView({ id = '' }: ViewProps) {
  const query = useQuery('GET /user/:id', { params: { id } })
  const [link, setLink] = useState<Answer<'POST /users/:id/reset-link'>>()

  async function makeLink() {
    const made = await request(hall.call('POST /users/:id/reset-link', { params: { id } }))
    if (made.ok) setLink(made.value)
    else notifyError(made.error)
  }
  return (
    <Page title={query.answer?.userName ?? 'User'}>
      <Loaded query={query}>
        {({ createdAt, description, roles }) => (
          <div class="stack">
            <p class="facts">
              {roles.includes('admin') ? 'Admin' : 'User'} since <Time at={createdAt} />
            </p>
            {description && <p>{description}</p>}
            <p>
              <a href={`#/log?target=${id}`}>Staff log of this user</a>
            </p>
            {!roles.includes('admin') && (
              <div class="row">
                <Button onClick={() => void makeLink()} text="Make a reset link" />
              </div>
            )}
            {link && (
              <section class="panel stack tight" aria-label="Reset link">
                <p>
                  Sets a new password once, until {formatExactTime(link.expiresAt)}. No mail is sent: pass it on
                  yourself.
                </p>
                <code>{link.url}</code>
              </section>
            )}
          </div>
        )}
      </Loaded>
    </Page>
  )
}
