import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { provideNginx } from '../tools/provide-nginx.ts'
import { freePort } from './free-port.ts'
import { startProgram } from './start-program.ts'

const README = join(import.meta.dirname, '../../../README.md')

/** The README's example as it stands there, but for certificates, ports and the pictures' server. */
async function readExample(port: number, upstreams: readonly number[]): Promise<string> {
  const [, example = ''] = /```nginx\n([\s\S]+?)```/.exec(await readFile(README, 'utf8')) ?? []
  const servers = /(?: {2}server 127\.0\.0\.1:\d+.*;\n)+/
  return example
    .replace(/^.*ssl_certificate.*\n/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(servers, (lines) => {
      const [line = ''] = lines.split('\n')
      return upstreams.map((each) => `${line.replace(/:\d+/, `:${each}`)}\n`).join('')
    })
}

export interface Nginx {
  baseUrl: string
  /** Output so far. */
  log(): string
  close(): Promise<void>
}

/** Starts nginx with the README's example in front of services on these ports. */
export async function startNginx(upstreams: readonly number[]): Promise<Nginx> {
  const program = await provideNginx()
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ')
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
events { worker_connections 512; }
http { access_log off; ${temporary}
${await readExample(port, upstreams)}
}
`
  await writeFile(join(folder, 'nginx.conf'), config)
  const started = startProgram(program, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    cwd: folder,
    env: {},
  })
  const baseUrl = `http://127.0.0.1:${port}`
  let isUp = false
  while (!isUp) {
    if (started.child.exitCode !== null) throw new Error(`nginx ended:\n${started.text()}`)
    isUp = await fetch(`${baseUrl}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    await sleep(20)
  }
  return {
    baseUrl,
    log: started.text,
    async close() {
      started.child.kill('SIGQUIT')
      await started.ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}
