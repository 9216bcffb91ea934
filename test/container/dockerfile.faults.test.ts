import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { provideHadolint } from './provide-tools.ts'
import { findRootImage, type Instruction, REPOSITORY, readDockerfile } from './read-dockerfile.ts'

const stages = await readDockerfile()
const image = stages.at(-1)?.instructions ?? []
const hadolint = await provideHadolint()

const listInstructions = (instructions: Instruction[], keyword: string) =>
  instructions.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text)

const everyCopy = stages.flatMap(({ instructions }) => listInstructions(instructions, 'COPY'))

if (hadolint !== undefined) {
  it('the Dockerfile passes the linter without a warning', () => {
    const args = ['--no-color', '--failure-threshold', 'style', 'Dockerfile']
    const { status, stdout, stderr } = spawnSync(hadolint, args, { cwd: REPOSITORY, encoding: 'utf8' })
    expect(stdout + stderr).toBe('')
    expect(status).toBe(0)
  })
}

it('every stage uses one exact release of Node 24 slim, from a registry that an argument names', () => {
  expect(new Set(stages.map(({ name }) => findRootImage(stages, name)))).toEqual(
    new Set(['docker.io/library/node:24.21.0-bookworm-slim']),
  )
})

it('the build runs no install script, and leaves its tools out of the image', () => {
  const installs = stages
    .flatMap(({ instructions }) => listInstructions(instructions, 'RUN'))
    .filter((run) => run.includes('npm'))
  const production = [
    'npm prune --omit=dev --ignore-scripts && npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx >sbom.json',
  ]
  expect(installs).toEqual(['npm ci --ignore-scripts', 'npm run build && cp -RL dist image', ...production])

  const shipped = listInstructions(image, 'COPY').find((copy) => copy.includes('node_modules'))
  const [, source] = /--from=(\S+)/.exec(shipped ?? '') ?? []
  const origin = stages.find(({ name }) => name === source)
  expect(listInstructions(origin?.instructions ?? [], 'RUN')).toEqual(production)
})

it('no package but esbuild has an install script', async () => {
  const { packages } = JSON.parse(await readFile(join(REPOSITORY, 'package-lock.json'), 'utf8'))
  const running = Object.keys(packages).filter((path) => packages[path].hasInstallScript)
  expect(running).toEqual(['node_modules/esbuild'])
})

it('every installed package accepts the lowest Node of each line that `engines` names, so that npm prints no EBADENGINE', async () => {
  const { packages } = JSON.parse(await readFile(join(REPOSITORY, 'package-lock.json'), 'utf8'))
  const lowest: string[] = packages[''].engines.node.match(/\d+\.\d+\.\d+/g)
  // npm leaves out optional packages that do not fit.
  const installed = Object.keys(packages).filter((path) => !packages[path].optional)
  const ranges = new Set(installed.flatMap((path) => packages[path].engines?.node ?? []))
  const args = [...lowest, ...[...ranges].flatMap((range) => ['--range', range])]
  const { stdout } = spawnSync('node_modules/.bin/semver', args, { cwd: REPOSITORY, encoding: 'utf8' })

  expect(lowest.length).toBeGreaterThan(0)
  expect(ranges.size).toBeGreaterThan(20)
  expect(stdout.split('\n').filter(Boolean)).toEqual(lowest)
})

it.each([
  ['USER', 'runs as an ordinary user, named by number', ['1000:1000']],
  ['EXPOSE', 'listens on 3228', ['3228']],
  ['CMD', 'starts node itself, so that a signal reaches it', ['["node", "dist/lib/main.js"]']],
  ['ENTRYPOINT', 'has nothing before node', []],
  ['STOPSIGNAL', 'is stopped by SIGTERM', ['SIGTERM']],
])('%s: the image %s', (keyword, _rule, texts) => {
  expect(listInstructions(image, keyword)).toEqual(texts)
})

it('the image has files that only root may change', () => {
  expect(everyCopy.filter((copy) => copy.includes('--chown') || copy.includes('--chmod'))).toEqual([])
})

it('the image names its version, revision and source, which arguments set', async () => {
  const { version } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'))
  expect(listInstructions(image, 'ARG')).toEqual([`VERSION=${version}`, 'REVISION=unknown', 'SOURCE=unknown'])
  for (const name of ['version', 'revision', 'source']) {
    expect(listInstructions(image, 'LABEL').join()).toContain(`image.${name}="\${${name.toUpperCase()}}"`)
  }
})

it('the image carries no secret', () => {
  const texts = stages.flatMap(({ instructions }) => instructions.map(({ keyword, text }) => `${keyword} ${text}`))
  expect(texts.filter((text) => /^(ARG|ENV) .*(SECRET|PASSWORD|TOKEN|KEY|URI)/.test(text))).toEqual([])
})
