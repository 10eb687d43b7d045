import { writeFile } from 'node:fs/promises'
import openapiTS, { astToString } from 'openapi-typescript'

/** Writes the types that `generated-client.test.ts` and the portal are checked with. `npm run types` calls this first; git ignores both files. */
const types = await openapiTS(new URL('../../openapi.json', import.meta.url))
for (const file of ['openapi-paths.ts', '../../portal/data/schema.d.ts'])
  await writeFile(new URL(file, import.meta.url), astToString(types))
