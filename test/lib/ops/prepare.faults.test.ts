import { once } from 'node:events'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Started } from '../../support/processes/start-program.ts'
import { useFolder } from '../../support/service/use-folder.ts'
import { countBuilds, createSmallClone, prepare, start } from './small-clone.ts'

const exists = (...path: string[]) =>
  fs.stat(join(...path)).then(
    () => true,
    () => false,
  )

const isGroupAlive = ({ child }: Started) => {
  try {
    return process.kill(-(child.pid ?? 0), 0)
  } catch {
    return false
  }
}

/** The system lists an ended process for a moment longer. */
const expectGone = (started: Started) => expect.poll(() => isGroupAlive(started)).toBe(false)

let clone: string

const fresh = await createSmallClone()
const prepared = await useFolder()
await fs.cp(fresh, prepared, { recursive: true })
await prepare(prepared)

const inCopyOf = (template: string) => {
  beforeEach(async () => {
    clone = await useFolder()
    await fs.cp(template, clone, { recursive: true, verbatimSymlinks: true })
  })
}

describe('a fresh clone', () => {
  inCopyOf(fresh)

  it('is installed by commands that run from the sources, and built by all others, also in production', async () => {
    const production = { NODE_ENV: 'production', npm_config_omit: 'dev' }
    const installed = await prepare(clone, ['install'], production)
    expect(installed.printed).toMatch(/^Installing the packages …\n/)
    expect(await countBuilds(clone)).toBe(0)

    const built = await prepare(clone, [], production)
    expect(built.code, built.printed).toBe(0)
    expect(built.printed).toBe('Building …\n')
    expect(await exists(clone, 'dist/lib/main.js')).toBe(true)
  })

  it('is prepared once when two commands start at the same moment', async () => {
    await fs.writeFile(join(clone, 'keep-building'), '')
    const starts = [1, 2].map(() => start(clone, process.execPath, ['lib/ops/prepare.mjs']))
    await Promise.race(starts.map((one) => one.printed(/Waiting/)))
    await fs.unlink(join(clone, 'keep-building'))
    const both = await Promise.all(starts.map((one) => one.ended))

    expect(both.map(({ code }) => code)).toEqual([0, 0])
    const printed = both.map((one) => one.printed).sort()
    expect(printed[0]).toMatch(/^Installing .*\nBuilding …\n$/s)
    expect(printed[1]).toMatch(/^Waiting for another process in this folder … \(.*delete \.prepare\.lock\)\n$/)
    expect(await countBuilds(clone)).toBe(1)
  })

  it.each(['18.20.8', '20.18.3'])('refuses Node %s in one sentence and installs nothing', async (version) => {
    const pretend = `data:text/javascript,Object.defineProperty(process.versions,'node',{value:'${version}'})`

    const refused = await prepare(clone, [], { NODE_OPTIONS: `--import=${pretend}` })

    expect(refused.code).toBe(1)
    const { engines } = JSON.parse(await fs.readFile(join(clone, 'package.json'), 'utf8'))
    expect(refused.printed).toBe(`\nNode ${engines.node} is needed, and this is ${version}.\n`)
    expect(await exists(clone, 'node_modules')).toBe(false)
  })

  it('leaves nothing running when the terminal interrupts the build, and the next start goes on', async () => {
    await fs.writeFile(join(clone, 'keep-building'), '')
    const first = start(clone, 'npm', ['start'])
    await expect.poll(() => countBuilds(clone)).toBe(1)
    process.kill(-(first.child.pid ?? 0), 'SIGINT')
    await first.ended

    await expectGone(first)
    await fs.unlink(join(clone, 'keep-building'))
    const second = await prepare(clone)
    expect(second.code).toBe(0)
    expect(second.printed).toMatch(/^Building/)
  })
})

describe('a prepared clone', () => {
  inCopyOf(prepared)

  it('is built again only when a source was changed, added or removed, and has no file of an older build', async () => {
    expect(await prepare(clone)).toEqual({ code: 0, signal: null, printed: '' })
    await fs.utimes(join(clone, 'lib/main.ts'), new Date(), new Date())
    expect((await prepare(clone)).printed).toBe('')

    const before = await fs.readdir(join(clone, 'dist/lib'))
    await fs.writeFile(join(clone, 'dist/lib/gone.js'), '')
    await fs.appendFile(join(clone, 'lib/main.ts'), '// changed\n')
    expect((await prepare(clone)).printed).toContain('Building')
    expect(await fs.readdir(join(clone, 'dist/lib'))).toEqual(before)
    await fs.writeFile(join(clone, 'functions/readyz.get.ts'), '')
    expect((await prepare(clone)).printed).toContain('Building')
    await fs.unlink(join(clone, 'functions/readyz.get.ts'))
    expect((await prepare(clone)).printed).toContain('Building')
    await fs.symlink('user@host.1', join(clone, 'lib/.#main.ts'))
    expect((await prepare(clone)).printed).toBe('')
    expect((await prepare(clone, ['build'])).printed).toMatch(/^Building/)
  })

  it('is built beside a running service without a change of its files, and switches to the new build by one rename', async () => {
    const before = await fs.realpath(join(clone, 'dist'))
    const running = start(clone, 'npm', ['start'])
    await running.printed(/up \d+/)
    for (const change of ['first', 'second']) {
      await fs.writeFile(join(clone, 'keep-building'), '')
      await fs.appendFile(join(clone, 'lib/main.ts'), `// ${change}\n`)
      const building = start(clone, process.execPath, ['lib/ops/prepare.mjs'])
      await building.printed(/Building/)
      await expect.poll(async () => (await fs.readdir(join(clone, '.builds'))).length).toBe(2)
      expect(await exists(clone, 'dist/lib/main.js')).toBe(true)
      if (change === 'first') expect(await fs.realpath(join(clone, 'dist'))).toBe(before)
      await fs.unlink(join(clone, 'keep-building'))
      expect((await building.ended).code).toBe(0)
      expect(await fs.readFile(join(clone, 'dist/lib/main.js'), 'utf8')).toContain(change)
    }
    expect(await exists(before)).toBe(false)
    expect(running.child.exitCode).toBe(null)
    running.child.kill('SIGTERM')
    await running.ended
  })

  it('prints the errors of the compiler, ends with 1 and tries again next time', async () => {
    const source = await fs.readFile(join(clone, 'lib/main.ts'), 'utf8')
    await fs.writeFile(join(clone, 'lib/main.ts'), 'mistake')
    const failed = await prepare(clone)
    expect(failed.code).toBe(1)
    expect(failed.printed).toContain('lib/main.ts(1,1): error TS1: A mistake')

    expect(await exists(clone, 'dist/lib/main.js')).toBe(true)
    expect((await prepare(clone)).code).toBe(1)
    await fs.writeFile(join(clone, 'lib/main.ts'), source)
    expect((await prepare(clone)).code).toBe(0)
  })

  it('is installed again when a package is gone, or another version than that of the lockfile is there', async () => {
    await fs.rm(join(clone, 'node_modules/lantern'), { recursive: true })
    expect((await prepare(clone)).printed).toMatch(/^Installing/)
    expect(await exists(clone, 'node_modules/lantern/package.json')).toBe(true)

    const record = join(clone, 'node_modules/.package-lock.json')
    await fs.writeFile(
      record,
      (await fs.readFile(record, 'utf8')).replaceAll('"version": "1.0.0"', '"version": "0.9.0"'),
    )
    expect((await prepare(clone)).printed).toMatch(/^Installing/)
  })

  it('starts after one that was killed', async () => {
    await fs.appendFile(join(clone, 'lib/main.ts'), '// changed\n')
    await fs.writeFile(join(clone, 'keep-building'), '')
    const killed = start(clone, process.execPath, ['lib/ops/prepare.mjs'])
    await expect.poll(() => countBuilds(clone)).toBe(2)
    killed.child.kill('SIGKILL')
    await once(killed.child, 'exit')
    await fs.unlink(join(clone, 'keep-building'))

    expect((await prepare(clone)).printed).toMatch(/^Building/m)
    expect((await prepare(clone)).printed).toBe('')
  })

  it.each([
    ['npm alone', 'SIGTERM', 1],
    ['everything in the terminal', 'SIGINT', -1],
  ] as const)('stops cleanly when %s gets %s', async (_whom, signal, sign) => {
    const service = start(clone, 'npm', ['start'])
    await service.printed(/up \d+/)
    process.kill(sign * (service.child.pid ?? 0), signal)

    const { code, printed } = await service.ended
    expect(code, printed).toBe(0)
    expect(printed).toContain(`stopping on ${signal}`)
    await expectGone(service)
  })
})

describe('the container', () => {
  inCopyOf(prepared)

  it('needs no preparation: it has the build without the sources and the tools', async () => {
    await fs.unlink(join(clone, 'tsconfig.build.json'))
    await fs.rm(join(clone, 'node_modules'), { recursive: true })
    await fs.rm(join(clone, 'lib/ops/prepare'), { recursive: true })

    expect(await prepare(clone)).toEqual({ code: 0, signal: null, printed: '' })
    expect(await exists(clone, 'node_modules')).toBe(false)
  })
})
