// Renews what is derived from the sources, at each restart of `npm run dev`.
import { bundleConsole } from './bundle-console.mjs'
import { writeRoutes } from './write-routes.mjs'

await bundleConsole('dist')
writeRoutes()
