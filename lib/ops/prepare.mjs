// Runs before the other npm scripts, on a fresh clone too: nothing is installed yet, so Node's own modules must do. This
// file keeps to a syntax that a Node which is about to be refused can read; the container ships it without the rest.
import fs from 'node:fs'

const print = (text) => process.stderr.write(text)

/** The version must be in a range as package.json writes it: `^20.19 || >=22.12`. */
function findUnfitNode() {
  const range = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).engines.node
  const [major, minor] = process.versions.node.split('.').map(Number)
  const isFit = range.split('||').some((part) => {
    const [, sign, wantedMajor, wantedMinor = '0'] = /(\^|>=)\s*(\d+)(?:\.(\d+))?/.exec(part)
    if (major === Number(wantedMajor)) return minor >= Number(wantedMinor)
    return sign === '>=' && major > Number(wantedMajor)
  })
  return isFit ? undefined : `Node ${range} is needed, and this is ${process.versions.node}.`
}

async function prepare() {
  // The container ships what was built, without the sources.
  if (!fs.existsSync(new URL('../../tsconfig.build.json', import.meta.url))) return

  const unfit = findUnfitNode()
  if (unfit) throw Object.assign(new Error(unfit), { isRefusal: true })
  const { prepareFolder } = await import('./prepare/prepare-folder.mjs')
  await prepareFolder(process.argv[2])
}

prepare().catch((error) => {
  if (!error.isRefusal) throw error
  print(`\n${error.message}\n`)
  process.exitCode = 1
})
