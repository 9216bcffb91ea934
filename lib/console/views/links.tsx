import { useEffect, useState } from 'preact/hooks'
import { Form, PasswordField } from '../fields/field.tsx'
import { dropLinkToken, readLinkToken } from '../link-token.ts'
import { notify } from '../notices.ts'
import { Busy, Button, EmptyPage, Page, Problem } from '../parts/basics.tsx'
import { open } from '../route.ts'
import { hall, openSignIn, settle, user } from '../session.ts'

const Gone = () => (
  <EmptyPage title="No link" text="The link was used already, or the page was loaded again. Open the link once more." />
)

export function ResetView() {
  const token = readLinkToken('reset')
  if (token === undefined) return <Gone />
  return (
    <Page title="New password" lead="Every device is signed out.">
      <Form
        action="Set the password"
        send={({ password = '' }) => settle(hall.call('POST /auth/reset', { body: { token, password } }))}
        notice="The new password is set. Every device is signed out"
        onSent={() => {
          dropLinkToken('reset')
          open('#/discussions')
          openSignIn()
        }}
      >
        <PasswordField label="New password" name="password" isNew />
      </Form>
    </Page>
  )
}

/** The page of the address that the first start prints. It makes the signed-in user the first admin. */
export function FirstAdminView() {
  const [refusal, setRefusal] = useState<Error>()
  const token = readLinkToken('first-admin')
  const userId = user.value?.userId

  useEffect(() => {
    if (token === undefined || userId === undefined) return
    void settle(hall.call('POST /auth/first-admin', { body: { token } })).then(async (answer) => {
      if (!answer.ok) return setRefusal(answer.error)
      dropLinkToken('first-admin')
      await settle(hall.session.load())
      notify('You are an admin now')
      open('#/operations')
    })
  }, [token, userId])

  if (token === undefined) return <Gone />
  if (refusal) {
    return (
      <Page title="First admin">
        <Problem error={refusal} />
      </Page>
    )
  }
  if (userId !== undefined || user.value === undefined) return <Busy />
  return (
    <EmptyPage title="First admin" text="Sign in with the account that becomes admin, or create it.">
      <Button class="primary" onClick={openSignIn} text="Go on with an account" />
    </EmptyPage>
  )
}
