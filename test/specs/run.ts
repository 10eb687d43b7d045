import { parseArgs } from 'node:util'
import { fetchSpecs } from './fetch-specs.ts'
import { fetchedSpecs, manifest } from './manifest.ts'

/** `npm run specs [-- --from ADDRESS]`: fetches the platform's published OpenAPI files for the tests of the sandbox. */
const { values } = parseArgs({ options: { from: { type: 'string', default: 'https://raw.githubusercontent.com' } } })
const what = `${manifest.files.length} files of ${manifest.repository} at ${manifest.commit.slice(0, 12)}`
try {
  const isNew = await fetchSpecs({ manifest, folder: fetchedSpecs, base: values.from })
  console.log(isNew ? `Fetched ${what} into .specs.` : `The ${what} are in .specs already.`)
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
