import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { provideHadolint } from './provide-tools.ts'
import {
  findRootImage,
  type Instruction,
  REPOSITORY,
  readDockerfile,
  readExecForm,
  readPairs,
} from './read-dockerfile.ts'

const stages = await readDockerfile()
const image = stages.at(-1)?.instructions ?? []
const hadolint = await provideHadolint()

const listInstructions = (instructions: Instruction[], keyword: string) =>
  instructions.filter((instruction) => instruction.keyword === keyword).map(({ text }) => text)

const everyCopy = stages.flatMap(({ instructions }) => listInstructions(instructions, 'COPY'))

if (hadolint !== undefined) {
  it('passes the linter without a remark', () => {
    const args = ['--no-color', '--failure-threshold', 'style', 'Dockerfile']
    const { status, stdout, stderr } = spawnSync(hadolint, args, { cwd: REPOSITORY, encoding: 'utf8' })
    expect(stdout + stderr).toBe('')
    expect(status).toBe(0)
  })
}

it('stands on Node 24 slim in every stage', () => {
  expect(new Set(stages.map(({ name }) => findRootImage(stages, name)))).toEqual(new Set(['node:24-bookworm-slim']))
})

it('runs no install script, and leaves the tools for building out of the image', () => {
  const installs = stages
    .flatMap(({ instructions }) => listInstructions(instructions, 'RUN'))
    .filter((run) => run.includes('npm'))
  expect(installs).toEqual(['npm ci --ignore-scripts', 'npm run build', 'npm prune --omit=dev --ignore-scripts'])

  const shipped = listInstructions(image, 'COPY').find((copy) => copy.includes('node_modules'))
  const [, source] = /--from=(\S+)/.exec(shipped ?? '') ?? []
  const origin = stages.find(({ name }) => name === source)
  expect(listInstructions(origin?.instructions ?? [], 'RUN')).toEqual(['npm prune --omit=dev --ignore-scripts'])
})

it('runs as an ordinary user, named by number, with files that only root may change', () => {
  expect(listInstructions(image, 'USER')).toEqual(['1000:1000'])
  expect(everyCopy.filter((copy) => copy.includes('--chown') || copy.includes('--chmod'))).toEqual([])
})

it('starts node itself, so that a signal reaches it', () => {
  expect(listInstructions(image, 'CMD').map(readExecForm)).toEqual([['node', 'dist/lib/main.js']])
  expect(listInstructions(image, 'ENTRYPOINT')).toEqual([])
  expect(listInstructions(image, 'STOPSIGNAL')).toEqual(['SIGTERM'])
})

it('is a production image that listens on 3228', () => {
  const env = Object.fromEntries(listInstructions(image, 'ENV').flatMap(readPairs))
  expect(env).toEqual({ NODE_ENV: 'production', DATA_DIR: '/data' })
  expect(listInstructions(image, 'EXPOSE')).toEqual(['3228'])
})

it('carries no secret', () => {
  const texts = stages.flatMap(({ instructions }) => instructions.map(({ keyword, text }) => `${keyword} ${text}`))
  expect(texts.filter((text) => /^(ARG|ENV) .*(SECRET|PASSWORD|TOKEN|KEY|URI)/.test(text))).toEqual([])
})

it('sees nothing of the folder but what it copies', async () => {
  const lines = (await readFile(join(REPOSITORY, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => /^[^#\s]/.test(line))
  const [everything, ...allowed] = lines
  const copied = everyCopy
    .filter((copy) => !copy.includes('--from='))
    .flatMap((copy) => copy.split(' ').slice(0, -1))
    .map((path) => path.split('/')[0])

  expect(everything).toBe('*')
  expect(allowed.sort()).toEqual([...new Set(copied)].map((name) => `!${name}`).sort())
})
