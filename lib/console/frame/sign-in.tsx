import { useState } from 'preact/hooks'
import { Form, type Outcome, PasswordField, TextField } from '../fields/field.tsx'
import { notifyError } from '../notices.ts'
import { Button } from '../parts/basics.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { route } from '../route.ts'
import { hall, loadSession, openSignIn, settle, signInReason, user } from '../session.ts'
import { settings } from '../settings.ts'

const COOKIES_REFUSED = `The browser refuses the cookies that keep you signed in. Allow cookies of ${location.host}, then sign in again`

function close(): void {
  signInReason.value = undefined
}

/** Opens the dialog, or leads to the site's sign-in, which returns to the address of the page. */
export function SignInButton() {
  if (settings.signInUrl === undefined) return <Button class="primary" onClick={openSignIn} text="Sign in" />
  const url = new URL(settings.signInUrl)
  url.searchParams.set('return', route.value.href)
  return (
    <a class="button primary" href={url.href}>
      Sign in
    </a>
  )
}

export const SignIn = () => (
  <Dialog title="Sign in" onClose={close}>
    {signInReason.value === 'ended' && <p>Your session has ended. Sign in to continue; your text is kept.</p>}
    {settings.signInUrl === undefined ? <OwnSignIn /> : <SignInButton />}
  </Dialog>
)

async function submit({ userName, email = '', password = '' }: Readonly<Record<string, string>>): Promise<Outcome> {
  const answer = await settle(
    userName === undefined
      ? hall.call('POST /auth/login', { body: { email, password } })
      : hall.call('POST /auth/signup', { body: { userName, email, password } }),
  )
  if (!answer.ok) return answer
  await loadSession()
  return user.value ? answer : { ok: false, error: new Error(COOKIES_REFUSED) }
}

async function signInAs({ email, password }: (typeof settings.demoUsers)[number]) {
  const answer = await submit({ email, password })
  if (answer.ok) close()
  else notifyError(answer.error)
}

function OwnSignIn() {
  const [isNew, setNew] = useState(false)

  function switchForm(event: Event) {
    event.preventDefault()
    setNew(!isNew)
  }
  return (
    <>
      <Form
        action={isNew ? 'Create account' : 'Sign in'}
        send={submit}
        onSent={close}
        aside={
          settings.isSignUpOpen && (
            // biome-ignore lint/a11y/useValidAnchor: it leads to another form of the dialog, which has no address.
            <a href="#/" onClick={switchForm}>
              {isNew ? 'I have an account' : 'Create an account'}
            </a>
          )
        }
      >
        {isNew && <TextField label="User name" name="userName" autocomplete="username" />}
        <TextField label="E-mail" name="email" type="email" autocomplete="email" />
        <PasswordField label="Password" name="password" isNew={isNew} />
      </Form>
      {settings.demoUsers.length > 0 && !isNew && (
        <section class="stack tight muted" aria-label="Demo users">
          <p>Or sign in as a demo user of this development start:</p>
          <div class="row">
            {settings.demoUsers.map((demo) => (
              <Button
                key={demo.userName}
                onClick={() => signInAs(demo)}
                text={`${demo.userName}${demo.isAdmin ? ' (admin)' : ''}`}
              />
            ))}
          </div>
        </section>
      )}
    </>
  )
}
