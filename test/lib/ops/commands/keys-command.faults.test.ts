import { expect, it } from 'vitest'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { insertCharacter, insertGame } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

// The job of the keys does not run, so that the command finds wrong keys.
const service = await useService()
const keys = (...args: string[]) => runCommand('keys-command', args, { MONGODB_URI: service.mongodbUri })

it('makes all keys again beside a running service, and says how many were wrong', async () => {
  const { db } = service
  for (let index = 0; index < 120; index += 1) await insertGame(db, { name: `Game ${index}` })
  const renamed = await insertGame(db, { name: 'New Name', nameKey: 'old name', searchWords: ['old', 'name'] })
  await insertCharacter(db, { name: 'Mira' })

  expect(await keys()).toEqual({
    code: 0,
    stdout: 'Keys made anew of 121 games and 1 characters; all others were right\n',
    stderr: '',
  })
  expect(await db.games.findOne({ _id: renamed })).toMatchObject({ nameKey: 'new name', searchWords: ['new', 'name'] })
  expect((await service.guest.get('/games/search?searchString=new%20name')).body.results).toHaveLength(1)
  expect((await keys()).stdout).toBe('Keys made anew of 0 games and 0 characters; all others were right\n')
})

it('refuses arguments with its usage', async () => {
  expect(await keys('games')).toEqual(refusedWith('Usage: npm run keys\n'))
})
