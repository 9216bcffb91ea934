import { ANY_CASE } from '../db/collections/users.ts'
import type { Database } from '../db/connect.ts'

/** Gives a user the admin role, or takes it. Answers the name as it is stored, null when there is no such user. */
export async function setAdminRole(
  { users }: Pick<Database, 'users'>,
  { userName, isAdmin }: { userName: string; isAdmin: boolean },
): Promise<string | null> {
  const user = await users.findOneAndUpdate(
    { userName },
    {
      ...(isAdmin ? { $addToSet: { roles: { $each: ['user', 'admin'] } } } : { $pull: { roles: 'admin' } }),
      $currentDate: { updatedAt: true },
    },
    { collation: ANY_CASE, projection: { userName: 1 } },
  )
  return user?.userName ?? null
}
