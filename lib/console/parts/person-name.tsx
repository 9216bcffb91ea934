import { linkTo } from '../route.ts'
import { isAdmin } from '../session.ts'

interface PersonNameProps {
  id: string | null | undefined
  name: string | null | undefined
}

/** The name of a user, which leads admins to the page of the user. */
export const PersonName = ({ id, name }: PersonNameProps) =>
  isAdmin.value && id && name ? (
    <a href={linkTo('users', id)}>
      <bdi>{name}</bdi>
    </a>
  ) : (
    <bdi>{name ?? 'deleted user'}</bdi>
  )
