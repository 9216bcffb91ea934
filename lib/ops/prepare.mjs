// Runs before the other npm scripts, also on a fresh clone without packages, so it uses Node's own modules alone. Its syntax
// must suit versions of Node that it refuses. The container ships it without the other files.
import fs from 'node:fs'
import { fileURLToPath } from 'node:url'

/** As `engines` of package.json says. */
function isNodeFit() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22
}

async function prepare() {
  process.chdir(fileURLToPath(new URL('../..', import.meta.url)))
  // The container ships the build, without the sources.
  if (!fs.existsSync('tsconfig.build.json')) return

  if (!isNodeFit()) {
    process.stderr.write(`\nNode ^20.19.0 || >=22.12.0 is needed, and this is ${process.versions.node}.\n`)
    process.exit(1)
  }
  const { prepareFolder } = await import('./prepare/prepare-folder.mjs')
  await prepareFolder(process.argv[2])
}

void prepare()
