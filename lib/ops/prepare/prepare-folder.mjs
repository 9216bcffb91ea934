import { build, isBuilt } from './build.mjs'
import { install, isInstalled } from './install.mjs'
import { holdLock } from './lock.mjs'

/**
 * Installs what is missing and builds what changed; quick when there is nothing to do.
 * @param task `install` leaves the build out, `build` builds in any case
 */
export async function prepareFolder(task) {
  const needsInstall = () => !isInstalled()
  const needsBuild = () => task === 'build' || (task !== 'install' && !isBuilt())
  if (!needsInstall() && !needsBuild()) return

  await holdLock()
  // Asked again: another start may have done it while this one waited.
  if (needsInstall()) await install()
  if (needsBuild()) await build()
}
