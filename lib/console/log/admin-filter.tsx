import { useState } from 'preact/hooks'
import { request } from '../call-service.ts'
import { describeError } from '../describe-error.ts'
import { TextField } from '../fields/text-field.tsx'
import { hall } from '../hall.ts'
import { setQuery } from '../route.ts'
import { useUserName } from '../user-names.ts'

/** Finds an admin by the whole user name. */
export function AdminFilter({ adminId }: { adminId: string | undefined }) {
  const known = useUserName(adminId)
  const [typed, setTyped] = useState<string>()
  const [refusal, setRefusal] = useState<string>()

  async function find(userName: string) {
    setRefusal(undefined)
    if (userName === '') return setQuery({ admin: undefined, page: undefined })
    const answer = await request(hall.call('GET /user/search', { query: { searchString: userName } }))
    if (!answer.ok) return setRefusal(describeError(answer.error))
    setTyped(undefined)
    setQuery({ admin: answer.value._id, page: undefined })
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void find((typed ?? '').trim())
      }}
    >
      <TextField
        label="Admin"
        type="search"
        autocomplete="off"
        placeholder="A whole user name"
        refusal={refusal}
        value={typed ?? (adminId ? known : '')}
        onInput={(value) => {
          setTyped(value)
          if (value === '') void find('')
        }}
      />
    </form>
  )
}
