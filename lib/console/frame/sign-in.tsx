import { useState } from 'preact/hooks'
import { describeError } from '../describe-error.ts'
import { TextField } from '../fields/text-field.tsx'
import { hall, settle } from '../hall.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Form } from '../parts/form.tsx'
import { loadSession, signInReason } from '../session.ts'
import { settings } from '../settings.ts'

interface Account {
  email: string
  password: string
  userName?: string
}

const enter = ({ userName, ...credentials }: Account) =>
  settle(
    userName === undefined
      ? hall.call('POST /auth/login', { body: credentials })
      : hall.call('POST /auth/signup', { body: { userName, ...credentials } }),
  )

/** The sign-in dialog, with a form for a new account behind its link. */
export function SignIn() {
  const [isNew, setNew] = useState(false)
  const [userName, setUserName] = useState('')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const [isBusy, setBusy] = useState(false)

  async function submit(account: Account) {
    setBusy(true)
    setRefusal(undefined)
    const answer = await enter(account)
    if (answer.ok) {
      await loadSession()
      signInReason.value = undefined
      return
    }
    setRefusal(describeError(answer.error))
    setBusy(false)
  }

  return (
    <Dialog
      title="Sign in"
      onClose={() => {
        signInReason.value = undefined
      }}
    >
      {signInReason.value === 'ended' && (
        <p>Your session has ended. Sign in to go on; what you typed is still there.</p>
      )}
      <Form
        action={isNew ? 'Create account' : 'Sign in'}
        disabled={isBusy}
        refusal={refusal}
        onSubmit={() => submit({ email, password, ...(isNew && { userName }) })}
        aside={
          // biome-ignore lint/a11y/useValidAnchor: it leads to another form of the dialog, which has no address.
          <a
            href="#/"
            onClick={(event) => {
              event.preventDefault()
              setRefusal(undefined)
              setNew(!isNew)
            }}
          >
            {isNew ? 'I have an account' : 'Create an account'}
          </a>
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
          <p>Or go in as a demo user of this development start:</p>
          <div class="row">
            {settings.demoUsers.map((demo) => (
              <Button
                key={demo.userName}
                disabled={isBusy}
                onClick={() => void submit({ email: demo.email, password: demo.password })}
                text={`${demo.userName} ${demo.isAdmin && ' (admin)'}`}
              />
            ))}
          </div>
        </section>
      )}
    </Dialog>
  )
}
