import { useState } from 'preact/hooks'
import { TextField } from '../fields/field.tsx'
import { hall, settle } from '../hall.ts'
import { notifyError } from '../notices.ts'
import { Button } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { loadSession, signInReason, user } from '../session.ts'
import { settings } from '../settings.ts'

interface Account {
  email: string
  password: string
  userName?: string
}

const COOKIES_REFUSED = `The browser refuses the cookies that keep you signed in. Allow cookies of ${location.host}, then sign in again`

function close(): void {
  signInReason.value = undefined
}

/** Leads to the site's sign-in, which comes back to the address that the page has then. */
export function SiteSignIn({ signInUrl }: { signInUrl: string }) {
  const toHref = () => {
    const url = new URL(signInUrl)
    url.searchParams.set('return', location.href)
    return url.href
  }
  return (
    <a
      class="button primary"
      href={toHref()}
      onClick={({ currentTarget }) => {
        currentTarget.href = toHref()
      }}
    >
      Sign in
    </a>
  )
}

const ENDED = 'Your session has ended. Sign in to continue; your text is kept.'

/** Asks for a sign-in: here, or at the site. */
export function SignIn() {
  const { signInUrl } = settings
  if (signInUrl === undefined) return <OwnSignIn />
  return (
    <Dialog title="Sign in" onClose={close}>
      {signInReason.value === 'ended' && <p>{ENDED}</p>}
      <SiteSignIn signInUrl={signInUrl} />
    </Dialog>
  )
}

function OwnSignIn() {
  const [isNew, setNew] = useState(false)
  const [userName, setUserName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function submit({ userName, ...credentials }: Account): Promise<Error | undefined> {
    setBusy(true)
    const answer = await settle(
      userName === undefined
        ? hall.call('POST /auth/login', { body: credentials })
        : hall.call('POST /auth/signup', { body: { userName, ...credentials } }),
    ).finally(() => setBusy(false))
    if (!answer.ok) return answer.error
    await loadSession()
    if (!user.value) return new Error(COOKIES_REFUSED)
    close()
    return undefined
  }

  return (
    <Dialog title="Sign in" onClose={close}>
      {signInReason.value === 'ended' && <p>{ENDED}</p>}
      <Form
        action={isNew ? 'Create account' : 'Sign in'}
        disabled={isBusy}
        send={() => submit({ email, password, ...(isNew && { userName }) })}
        aside={
          settings.isSignUpOpen && (
            // biome-ignore lint/a11y/useValidAnchor: it leads to another form of the dialog, which has no address.
            <a
              href="#/"
              onClick={(event) => {
                event.preventDefault()
                setNew(!isNew)
              }}
            >
              {isNew ? 'I have an account' : 'Create an account'}
            </a>
          )
        }
      >
        {isNew && <TextField label="User name" autocomplete="username" value={userName} onInput={setUserName} />}
        <TextField label="E-mail" type="email" autocomplete="email" value={email} onInput={setEmail} />
        <TextField
          label="Password"
          type="password"
          autocomplete={isNew ? 'new-password' : 'current-password'}
          hint={isNew ? '8 to 200 characters' : undefined}
          value={password}
          onInput={setPassword}
        />
      </Form>
      {settings.demoUsers.length > 0 && !isNew && (
        <section class="stack tight muted" aria-label="Demo users">
          <p>Or sign in as a demo user of this development start:</p>
          <div class="row">
            {settings.demoUsers.map((demo) => (
              <Button
                key={demo.userName}
                disabled={isBusy}
                onClick={() =>
                  void submit({ email: demo.email, password: demo.password }).then(
                    (refused) => refused && notifyError(refused),
                  )
                }
                text={`${demo.userName}${demo.isAdmin ? ' (admin)' : ''}`}
              />
            ))}
          </div>
        </section>
      )}
    </Dialog>
  )
}
