import { bundleConsole } from './bundle-console.mjs'

await bundleConsole()
