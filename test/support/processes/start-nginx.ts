import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { z } from 'zod'
import { closeAtEnd } from '../service/close-at-end.ts'
import { provideNginx } from '../tools/provide-debian-program.ts'
import { freePort } from './free-port.ts'
import { startProgram } from './start-program.ts'

const ROOT = join(import.meta.dirname, '../../..')

export const NGINX_EXAMPLES = ['alone', 'beside-site', 'balancer'] as const
type ImagesExample = 'images' | 'images of compose.yaml'

interface Upstreams {
  gamehall?: readonly number[]
  /** Port of the site's API, in the example that has one. */
  site?: number
  /** Port of the server of images. */
  images?: number
  /** Address of the storage with its bucket, in the examples of images. */
  storage?: string
  /** Names at the top of that example that are the site's. */
  ofSite?: readonly string[]
  /** Changes the configuration, for what somebody may have left out. */
  edit?: (config: string) => string
}

const Script = z.object({ command: z.tuple([z.string()]) })
const Compose = z.object({ services: z.object({ balancer: Script, images: Script }) })

/** Runs the script of a container in `compose.yaml` up to the start of nginx, and reads what it wrote. */
async function readComposed(name: 'balancer' | 'images', folder: string): Promise<string> {
  const { services } = Compose.parse(parse(await readFile(join(ROOT, 'compose.yaml'), 'utf8'), { merge: true }))
  const script = services[name].command[0]
    .replaceAll('$$', '$')
    .replaceAll('/tmp/', `${folder}/`)
    .replace('/etc/nginx/', `${join(ROOT, 'lib/ops/nginx')}/`)
    .replace(/^exec nginx .*/m, '')
  await promisify(execFile)('sh', ['-euc', script])
  const text = await readFile(join(folder, 'nginx.conf'), 'utf8')
  const included = /include (.*);/.exec(text)?.[1]
  return included === undefined ? text : text.replace(/include .*;/, await readFile(included, 'utf8'))
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

function readText(example: (typeof NGINX_EXAMPLES)[number] | ImagesExample, folder: string): Promise<string> {
  if (example === 'balancer') return readComposed('balancer', folder)
  return example === 'images of compose.yaml' ? readComposed('images', folder) : readExample(example, folder)
}

/** Starts nginx with a configuration as it stands in the project, but for certificates, folders and ports. */
export async function startNginx(
  example: (typeof NGINX_EXAMPLES)[number] | ImagesExample,
  { gamehall = [], site, images = 3229, storage = '', ofSite = [], edit = (config) => config }: Upstreams,
) {
  const program = await provideNginx()
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-nginx-'))
  const port = await freePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const text = await readText(example, folder)
  // The folder is open to its owner alone, also where nginx would work as another user than root.
  const config = `daemon off; ${process.getuid?.() === 0 ? 'user root root;' : ''} ${text}`
    .replace(/listen (443 ssl|8080|127.0.0.1:3229)/, `listen 127.0.0.1:${port}`)
    .replace(/^( +server (?:127\.0\.0\.1|gamehall[-\d]*):3228.*;\n)+/m, (lines) =>
      gamehall.map((each) => lines.split('\n')[0]?.replace(/server \S+/, `server 127.0.0.1:${each}`)).join('\n'),
    )
    .replace('server 127.0.0.1:4000', `server 127.0.0.1:${site}`)
    .replace('http://127.0.0.1:3229', `http://127.0.0.1:${images}`)
    .replace(/http:\/\/(127\.0\.0\.1|s3):8333/, new URL('/', storage || baseUrl).origin)
    .replace('$storage/gamehall$uri', () => `$storage${new URL(storage || baseUrl).pathname}$uri`)
    .replace(/\$(\w+) \{ default gamehall; \}/g, (line, name) =>
      ofSite.includes(name) ? `$${name} { default site; }` : line,
    )
  await writeFile(join(folder, 'nginx.conf'), edit(config))
  const started = startProgram(program, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    cwd: folder,
    env: {},
  })
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

export const useNginx = closeAtEnd(startNginx)
