import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { provideNginx } from '../tools/provide-nginx.ts'
import { freePort } from './free-port.ts'
import { startProgram } from './start-program.ts'

const ROOT = join(import.meta.dirname, '../../..')

export const NGINX_EXAMPLES = ['alone', 'beside-site', 'balancer'] as const

interface Upstreams {
  gamehall: readonly number[]
  /** Port of the site's API, in the example that has one. */
  site?: number
  /** Port of the server of images. */
  images?: number
  /** Names at the top of that example that are the site's. */
  ofSite?: readonly string[]
}

const Balancer = z.object({ services: z.object({ balancer: z.object({ command: z.tuple([z.string()]) }) }) })

/** Reads the configuration that the script of the balancer in `compose.yaml` writes. */
async function readBalancer(folder: string): Promise<string> {
  const compose = Balancer.parse(parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }))
  const [, config = ''] = /<<'END'\n(.*)^END$/ms.exec(compose.services.balancer.command[0]) ?? []
  return config.replaceAll('$$', '$').replaceAll('/tmp/', `${folder}/`)
}

/** Reads an example of `lib/ops/nginx`, without its certificates, as a whole configuration. */
async function readExample(name: string, folder: string): Promise<string> {
  const example = await readFile(join(ROOT, 'lib/ops/nginx', `${name}.conf`), 'utf8')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((each) => `${each}_temp_path ${folder}/${each};`)
    .join(' ')
  return `pid ${folder}/pid; error_log stderr warn; worker_processes 1;
events { worker_connections 512; }
http { access_log off; ${temporary}
${example.replace(/^.*ssl_certificate.*\n/gm, '')}
}
`
}

/** Starts nginx with a configuration as it stands in the project, but for certificates, folders and ports. */
export async function startNginx(
  example: (typeof NGINX_EXAMPLES)[number],
  { gamehall, site, images = 3229, ofSite = [] }: Upstreams,
) {
  const program = await provideNginx()
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-nginx-'))
  const port = await freePort()
  const text = await (example === 'balancer' ? readBalancer(folder) : readExample(example, folder))
  const config = `daemon off; ${text}`
    .replace(/listen (443 ssl|8080)/, `listen 127.0.0.1:${port}`)
    .replace(/^( +server (?:127\.0\.0\.1|gamehall[-\d]*):3228.*;\n)+/m, (lines) =>
      gamehall.map((each) => lines.split('\n')[0]?.replace(/server \S+/, `server 127.0.0.1:${each}`)).join('\n'),
    )
    .replace('server 127.0.0.1:4000', `server 127.0.0.1:${site}`)
    .replace('127.0.0.1:3229', `127.0.0.1:${images}`)
    .replace(/\$(\w+) \{ default gamehall; \}/g, (line, name) =>
      ofSite.includes(name) ? `$${name} { default site; }` : line,
    )
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
