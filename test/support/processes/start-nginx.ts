import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { provideNginx } from '../tools/provide-nginx.ts'
import { freePort } from './free-port.ts'
import { startProgram } from './start-program.ts'

const EXAMPLES = join(import.meta.dirname, '../../../lib/ops/nginx')

interface Upstreams {
  gamehall: readonly number[]
  /** Port of the site's API, in the example that has one. */
  site?: number
}

/** An example as it stands there, but for certificates and ports. */
async function readExample(name: string, port: number, { gamehall, site }: Upstreams): Promise<string> {
  const example = await readFile(join(EXAMPLES, `${name}.conf`), 'utf8')
  return example
    .replace(/^.*ssl_certificate.*\n/gm, '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replace(/^ +server 127\.0\.0\.1:3228(.*;\n)/m, (_line, rest: string) =>
      gamehall.map((each) => `server 127.0.0.1:${each}${rest}`).join(''),
    )
    .replace('server 127.0.0.1:4000', `server 127.0.0.1:${site}`)
}

export async function startNginx(example: 'alone' | 'beside-site', upstreams: Upstreams) {
  const program = await provideNginx()
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-nginx-'))
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ')
  const config = `daemon off; pid ${folder}/pid; error_log stderr warn; worker_processes 1;
events { worker_connections 512; }
http { access_log off; ${temporary}
${await readExample(example, port, upstreams)}
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
    isUp = await fetch(baseUrl).then(
      () => true,
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
