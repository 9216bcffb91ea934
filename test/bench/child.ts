import { type ChildProcess, fork } from 'node:child_process'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { builtService } from '../support/tools/built-service.ts'

type Ask = (question: string, value?: unknown) => Promise<number>

export interface Child {
  ask: Ask
  stop(): Promise<void>
}

/** Leaves the built service out of a bundle, so that a bench measures what a deployer runs. */
const asBuilt: Plugin = {
  name: 'built service',
  setup({ onResolve }) {
    onResolve({ filter: /^(#lib\/|\.)/ }, ({ path, importer }) => {
      const built = importer === '' ? undefined : builtService.resolveId(path, importer)
      return built === undefined ? undefined : { path: built, external: true }
    })
  },
}

/** A server, which answers requests and measures what they cost its process. */
export interface Server extends Child {
  port: number
}

const BUNDLES = fileURLToPath(new URL('../../dist/bench', import.meta.url))

async function bundle(file: string): Promise<string> {
  const outfile = `${BUNDLES}/${basename(file, '.ts')}.mjs`
  await build({
    entryPoints: [fileURLToPath(new URL(file, import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [asBuilt],
    logLevel: 'error',
  })
  return outfile
}

/** Starts a file of this folder as a process of its own and waits until it is ready. */
export async function startChild(file: string, env: Record<string, string> = {}): Promise<Child> {
  const child: ChildProcess = fork(await bundle(file), {
    execArgv: ['--expose-gc'],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const answer = () =>
    new Promise<number>((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${file} ended with ${code}`))
      child.once('exit', onExit)
      child.once('message', (message) => {
        child.off('exit', onExit)
        resolve(Number(message))
      })
    })
  await answer()

  return {
    ask: (question, value) => {
      const answered = answer()
      child.send({ question, value })
      return answered
    },
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

interface ServerOptions {
  file?: string
  env?: Record<string, string>
}

/** Starts the service on a database, or the peer of `servers` that `file` names. */
export async function startServer(
  uri: string,
  { file = 'servers/gamehall.ts', env = {} }: ServerOptions = {},
): Promise<Server> {
  const child = await startChild(file, { BENCH_MONGODB_URI: uri, ...env })
  return { ...child, port: await child.ask('port') }
}
