// Renews what is derived from the sources, at each restart of `npm run dev`.
import { bundlePages } from './bundle-pages.mjs'
import { writeRoutes } from './write-routes.mjs'

await bundlePages('dist')
writeRoutes()
