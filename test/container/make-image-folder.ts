import { execFile } from 'node:child_process'
import { cp, mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Instruction, REPOSITORY, readDockerfile, readExecForm, readPairs } from './read-dockerfile.ts'

const execute = promisify(execFile)

interface ImageFolder {
  /** The folder that is the image's `/`. */
  root: string
  workdir: string
  env: Record<string, string>
  command: string[]
  healthcheck: string[]
  /** RUN lines that only make sense inside a container. */
  notRun: string[]
}

interface Surroundings {
  folder: string
  /** The environment of the shell that runs the RUN lines. Its PATH selects Node. */
  environment: Record<string, string>
}

const emptyStage = (root: string): ImageFolder => ({
  root,
  workdir: '/',
  env: {},
  command: [],
  healthcheck: [],
  notRun: [],
})

/** Copies by `cp`, because Node takes several times the CPU for the thousands of files of the packages. */
const copyFolder = (from: string, to: string) => execute('cp', ['-RP', `${from}/.`, to])

async function copy(stage: ImageFolder, text: string, rootOf: (name: string) => string): Promise<void> {
  const words = text.split(/\s+/)
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const target = paths.pop() ?? ''
  const into = join(stage.root, stage.workdir, target)
  for (const path of paths) {
    const source = join(from === undefined ? REPOSITORY : rootOf(from), path)
    const copied = target.endsWith('/') ? join(into, basename(path)) : into
    const isFolder = (await stat(source)).isDirectory()
    await mkdir(isFolder ? copied : dirname(copied), { recursive: true })
    if (isFolder) await copyFolder(source, copied)
    else await cp(source, copied)
  }
}

async function follow(
  stage: ImageFolder,
  { keyword, text }: Instruction,
  { environment, rootOf }: { environment: Record<string, string>; rootOf: (name: string) => string },
): Promise<void> {
  if (keyword === 'WORKDIR') {
    stage.workdir = text
    await mkdir(join(stage.root, text), { recursive: true })
  }
  if (keyword === 'ENV') Object.assign(stage.env, Object.fromEntries(readPairs(text)))
  if (keyword === 'COPY') await copy(stage, text, rootOf)
  if (keyword === 'CMD') stage.command = readExecForm(text)
  if (keyword === 'HEALTHCHECK') stage.healthcheck = readExecForm(text)
  if (keyword === 'RUN' && !text.startsWith('npm ')) stage.notRun.push(text)
  if (keyword === 'RUN' && text.startsWith('npm ')) {
    const env = { ...environment, ...stage.env }
    await execute('sh', ['-ec', text], { cwd: join(stage.root, stage.workdir), env })
  }
}

/** Follows the instructions of the Dockerfile in a clean folder for each stage, so that tests cannot differ from it. */
export async function makeImageFolder({ folder, environment }: Surroundings): Promise<ImageFolder> {
  const made = new Map<string, ImageFolder>()
  const rootOf = (name: string) => made.get(name)?.root ?? ''
  let image = emptyStage(folder)

  for (const { name, base, instructions } of await readDockerfile()) {
    const parent = made.get(base)
    image = { ...emptyStage(join(folder, name)), ...(parent && { workdir: parent.workdir, env: { ...parent.env } }) }
    await mkdir(image.root, { recursive: true })
    if (parent !== undefined) await copyFolder(parent.root, image.root)
    for (const instruction of instructions) await follow(image, instruction, { environment, rootOf })
    made.set(name, image)
  }
  return image
}
