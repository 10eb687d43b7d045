import { writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

/** Writes the types that `generated-client.test.ts` is checked with. `npm run types` calls this first; git ignores the file. */
const types = await openapiTS(new URL('../../openapi.json', import.meta.url))
await writeFile(new URL('openapi-paths.ts', import.meta.url), astToString(types))
