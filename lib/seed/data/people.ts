/** A demo user; all of them share one published password, so they exist only where nothing is at stake. */
export interface SeedUser {
  userName: string
  email: string
  description: string
  roles: ('user' | 'admin')[]
}

export const seedUsers: readonly SeedUser[] = [
  {
    userName: 'alice',
    email: 'alice@example.com',
    description: 'Role-playing games with too many endings, and a shelf of cartridges whose batteries still hold.',
    roles: ['user'],
  },
  {
    userName: 'bob',
    email: 'bob@example.com',
    description:
      'Horror games with the light on. Will argue that the fixed cameras were better, whether you ask or not.',
    roles: ['user'],
  },
  {
    userName: 'carol',
    email: 'carol@example.com',
    description: 'Keeps the catalogue tidy. Reads every visual novel twice, the second time with a notebook.',
    roles: ['user', 'admin'],
  },
]
