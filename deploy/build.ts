import { fileURLToPath } from 'node:url'
import { buildPackage } from './package-files.ts'

/** `npm run build:package`: what a published package runs, in `dist`. `npm pack` builds the portal first. */
const count = await buildPackage(fileURLToPath(new URL('../dist/', import.meta.url)))
process.stdout.write(`${count} files in dist\n`)
