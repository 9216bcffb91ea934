import { useQuery } from './hooks/use-query.ts'

/** The name of a user; dots while it is awaited. */
export function useUserName(userId: string | null | undefined): string {
  const { answer, error } = useQuery('GET /user/:id', userId ? { params: { id: userId } } : null)
  return answer?.userName ?? (error?.status === 404 ? 'Deleted user' : '…')
}
