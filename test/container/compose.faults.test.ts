import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../../lib/base/config.ts'
import { FOLDERS } from '../../lib/infrastructure/storage/storage.ts'
import { REPOSITORY, readDockerfile, readPairs } from './read-dockerfile.ts'

/** The rules of all services: an ordinary user, no capabilities, a read-only root, bounds, 30 s to stop. */
const Service = z
  .object({
    image: z.string(),
    build: z.literal('.').optional(),
    user: z.string().regex(/^[1-9]\d*:[1-9]\d*$/),
    profiles: z.array(z.string()).optional(),
    init: z.literal(true),
    mem_limit: z.string().regex(/^([1-9]\d{1,2}m|[12]g)$/),
    pids_limit: z.int().positive().max(1024),
    read_only: z.literal(true),
    cap_drop: z.tuple([z.literal('ALL')]),
    security_opt: z.tuple([z.literal('no-new-privileges:true')]),
    stop_grace_period: z.literal('30s'),
    environment: z.record(z.string(), z.string()).default({}),
    entrypoint: z.array(z.string()).optional(),
    command: z.array(z.string()).optional(),
    ports: z.array(z.string()).default([]),
    networks: z.array(z.string()),
    volumes: z.array(z.string()).default([]),
    depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
    healthcheck: z
      .object({
        test: z.array(z.string()).optional(),
        start_period: z.string().optional(),
        disable: z.literal(true).optional(),
      })
      .optional(),
  })
  .refine(
    ({ build, image }) =>
      build !== undefined || /^mongo:\d+\.\d+\.\d+$|^nginx:\d+\.\d+\.\d+$|seaweedfs:\d+\.\d+$/.test(image),
    'an exact release that is named, or built here',
  )
const Compose = z.object({
  services: z
    .object({
      gamehall: Service,
      'gamehall-2': Service,
      backup: Service,
      balancer: Service,
      mongodb: Service,
      'mongodb-setup': Service,
      s3: Service,
      images: Service,
    })
    .strict(),
  networks: z.record(z.string(), z.object({ internal: z.boolean().optional() }).nullable()),
  volumes: z.record(z.string(), z.null()),
})

const text = await readFile(join(REPOSITORY, 'compose.yaml'), 'utf8')
const { services, networks, volumes } = Compose.parse(parse(text, { merge: true }))
const { gamehall, 'gamehall-2': second, backup, balancer, mongodb, 'mongodb-setup': setup, s3, images } = services
/** All but the second instance and the backup, which tests compare with the first instance. */
const every = Object.entries(services).filter(([name]) => name !== 'gamehall-2' && name !== 'backup')

const GIVEN: Record<string, string> = {
  PUBLIC_URL: 'https://live.example.com',
  CORS_ORIGINS: 'https://example.com',
  JWT_SECRET: 'a secret of at least thirty-two characters',
  METRICS_TOKEN: 'metrics',
  MONGODB_PASSWORD: 'apples',
  S3_PUBLIC_URL: 'https://images.example.com',
}

/** Fills in variables the way Compose does: `${NAME}`, `${NAME:-default}`, `${NAME:?}`. */
const fillIn = (value: string) =>
  value.replaceAll(/\$\{(\w+)(?::-([^}]*)|:\?)?\}/g, (_whole, name: string, fallback = '') => GIVEN[name] ?? fallback)

/** Reads the script as the container's shell sees it: Compose turns a doubled dollar into one. */
const readScript = (service: z.infer<typeof Service>) => (service.command?.[0] ?? '').replaceAll('$$', '$')

it('the service starts with its configuration', async () => {
  const image = (await readDockerfile()).at(-1)?.instructions ?? []
  const env = image.filter(({ keyword }) => keyword === 'ENV').flatMap(({ text: pairs }) => readPairs(pairs))
  const filled = Object.entries(gamehall.environment).map(([name, value]) => [name, fillIn(value)])

  const config = readConfig({ ...Object.fromEntries(env), ...Object.fromEntries(filled) })

  expect(config).toMatchObject({ isProduction: true, port: 3228, host: '0.0.0.0', dataDir: '/data', trustProxy: 0 })
  expect(config.mongodbUri).toBe('mongodb://gamehall:apples@mongodb:27017/gamehall?replicaSet=rs0&authSource=admin')
  expect(config.s3).toMatchObject({
    bucket: 'gamehall',
    endpoint: 'http://s3:8333',
    publicUrl: 'https://images.example.com',
  })
  expect(config).toMatchObject({ igdb: undefined, hltb: undefined, ra: undefined, indexNow: undefined })
})

it('the services take every secret from a variable, and do not start without it', () => {
  const secrets = every.flatMap(([, { environment }]) =>
    Object.entries(environment).filter(
      ([name, value]) => /PASSWORD|SECRET|TOKEN|KEY|URI/.test(name) && value !== `\${${name}:-}`,
    ),
  )
  const required = secrets.map(([, value]) => value.match(/\$\{(\w+):\?\}/)?.[1])

  expect(required.sort()).toEqual([
    'JWT_SECRET',
    'METRICS_TOKEN',
    'MONGODB_PASSWORD',
    'MONGODB_PASSWORD',
    'MONGODB_ROOT_PASSWORD',
    'MONGODB_ROOT_PASSWORD',
    'S3_ACCESS_KEY_ID',
    'S3_ACCESS_KEY_ID',
    'S3_SECRET_ACCESS_KEY',
    'S3_SECRET_ACCESS_KEY',
  ])
  // Only the address of the database has text beside the variable.
  const remains = secrets.map(([, value]) => value.replace(/\$\{\w+:\?\}/, ''))
  expect(new Set(remains)).toEqual(
    new Set(['', 'mongodb://gamehall:@mongodb:27017/gamehall?replicaSet=rs0&authSource=admin']),
  )
})

it('only the service, the balancer and the images are published, by default to this host only', () => {
  expect(every.filter(([, { ports }]) => ports.length > 0).map(([name]) => name)).toEqual([
    'gamehall',
    'balancer',
    'images',
  ])
  expect(balancer.ports.map(fillIn)).toEqual(['127.0.0.1:3230:8080'])
  expect(gamehall.ports.map(fillIn)).toEqual(['127.0.0.1:3228:3228'])
  expect(images.ports.map(fillIn)).toEqual(['127.0.0.1:3229:8080'])
})

it('the images are the objects whose address has the form of a key, in the bucket that the service writes to', async () => {
  const config = await readFile(join(REPOSITORY, 'lib/ops/nginx/images.conf'), 'utf8')
  const [, form = ''] = /location ~ "(.+)" \{/.exec(config) ?? []

  expect(form).toBe(`^/(${FOLDERS.join('|')})/[0-9a-f]{24}/[0-9a-f]{24}$`)
  expect(config).toContain(`proxy_pass $storage/${gamehall.environment.S3_BUCKET}$uri;`)
  expect(gamehall.environment.S3_ENDPOINT).toBe('http://s3:8333')
  expect(images.volumes).toEqual(['./lib/ops/nginx/images.conf:/etc/nginx/images.conf:ro'])
  expect(readScript(s3)).toContain('-s3.autoCreateBucket=true')
})

it('the database and the storage are in networks that lead nowhere else', () => {
  expect(mongodb.networks).toEqual(['database'])
  expect(setup.networks).toEqual(['database'])
  expect(s3.networks).toEqual(['storage'])
  expect(networks).toMatchObject({ database: { internal: true }, storage: { internal: true } })
})

it('the data are in named volumes', () => {
  const mounts = every.flatMap(([, service]) => service.volumes).filter((mount) => !mount.endsWith(':ro'))
  expect(mounts.sort()).toEqual(['files:/data', 'mongodb:/data/db', 'objects:/data'])
  expect(Object.keys(volumes).sort()).toEqual(['files', 'mongodb', 'objects'])
})

it('the service starts when the database has a primary and the account', () => {
  expect(gamehall.depends_on).toEqual({
    mongodb: { condition: 'service_healthy' },
    'mongodb-setup': { condition: 'service_completed_successfully' },
    // The service starts also while the storage fails.
    s3: { condition: 'service_started' },
  })
  expect(mongodb.healthcheck?.test?.at(-1)).toContain('isWritablePrimary')
  expect(s3.healthcheck).toBeDefined()
})

it('the service has ten minutes to build the indexes of a large database before it counts as unhealthy', () => {
  expect(gamehall.healthcheck).toEqual({ start_period: '10m' })
})

it.each([
  ['mongodb', 'bash', mongodb],
  ['s3', 'sh', s3],
  ['images', 'sh', images],
])('the start script of %s can be read by %s', (_name, shell, service) => {
  const { status, stderr } = spawnSync(shell, ['-n'], { input: readScript(service), encoding: 'utf8' })
  expect(stderr).toBe('')
  expect(status).toBe(0)
  // The program must replace the shell, because a stop signal reaches only the first process.
  expect(readScript(service).trimEnd()).toMatch(/\nexec [^\n]+(\\\n[^\n]+)*$/)
})

it('the configuration of the storage is JSON with the keys from variables', () => {
  const [, template = ''] = /<<END\n(.+?)\nEND\n/s.exec(readScript(s3)) ?? []
  const filled = template.replaceAll('$S3_ACCESS_KEY_ID', 'access').replaceAll('$S3_SECRET_ACCESS_KEY', 'secret')

  expect(JSON.parse(filled).identities).toEqual([
    expect.objectContaining({ name: 'gamehall', credentials: [{ accessKey: 'access', secretKey: 'secret' }] }),
    { name: 'anonymous', actions: ['Read:gamehall'] },
  ])
})

it('the profile `scaled` adds a second instance that is not published', () => {
  const { profiles: _profiles, ports: _ports, ...alike } = second
  const { ports: _published, ...first } = gamehall

  expect(second.profiles).toEqual(['scaled'])
  expect(second.ports).toEqual([])
  expect(alike).toEqual(first)
})

it('the profile `backup` writes a private file a day, and deletes old ones after a success alone', async () => {
  const { healthcheck: _unhealthy, ports: _published, ...first } = gamehall
  const { healthcheck: _healthcheck, profiles, ports, entrypoint: _entrypoint, command: _command, ...alike } = backup
  expect({ profiles, ports }).toEqual({ profiles: ['backup'], ports: [] })
  expect(alike).toEqual(first)

  const folder = await mkdtemp(join(tmpdir(), 'gamehall-nights-'))
  const old = ['2020-01-01.tar', '2020-01-02.tar.part']
  const runNight = (code: number) => {
    // This stand-in for npm writes the named file, or fails.
    const script = readScript(backup).replaceAll('/data', folder).replace('sleep 3600', 'exit 0')
    const npm = `npm() { [ ${code} = 0 ] && : >"$5"; return ${code}; }\n`
    return spawnSync('sh', ['-euc', npm + script], { encoding: 'utf8' })
  }
  await mkdir(join(folder, 'backups'), { mode: 0o700 })
  for (const name of old) {
    await writeFile(join(folder, 'backups', name), '')
    await utimes(join(folder, 'backups', name), 0, 0)
  }
  expect(runNight(1)).toMatchObject({ status: 0, stderr: '' })
  expect((await readdir(join(folder, 'backups'))).sort()).toEqual(old)
  expect(runNight(0)).toMatchObject({ status: 0, stderr: '' })
  expect(await readdir(join(folder, 'backups'))).toEqual([expect.stringMatching(/^20(?!20)\d\d-\d\d-\d\d\.tar$/)])
  await rm(folder, { recursive: true })
})

it('the profile `scaled` spreads clients over both, each staying at one', () => {
  expect(balancer.profiles).toEqual(['scaled'])
  expect(readScript(balancer)).toMatch(/hash \$client consistent;\s+server gamehall:3228 .*;\s+server gamehall-2:3228 /)
})
