import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBreaches } from './find-breaches.ts'

/** A small house of the same shape as ours in which every arrow is allowed. */
const cleanHouse = {
  'package.json': JSON.stringify({
    type: 'module',
    dependencies: {
      undici: '1.0.0',
      pg: '1.0.0',
      zod: '1.0.0',
      'pg-boss': '1.0.0',
      '@fastify/under-pressure': '1.0.0',
    },
    devDependencies: { vitest: '1.0.0' },
  }),
  ...somePackage('undici'),
  ...somePackage('pg'),
  ...somePackage('zod'),
  ...somePackage('pg-boss'),
  ...somePackage('@fastify/under-pressure'),
  ...somePackage('vitest'),
  'src/clock.ts': 'export const now = 1',
  'src/config.ts': 'export const config = 1',
  'src/contract/status.ts': "import 'zod'\nexport const status = 1",
  'src/model/decide.ts': "import '../contract/status.ts'\nexport const decide = 1",
  'src/bigcommerce/client.ts': "import 'undici'\nimport '../clock.ts'\nexport const client = 1",
  'src/entities/catalog/brands.ts':
    "import '../../bigcommerce/client.ts'\nimport '../../model/decide.ts'\nexport const brands = 1",
  'src/db/core/database.ts': "import 'pg'\nexport const database = 1",
  'src/db/runs/runs.ts': "import '../core/database.ts'\nimport '../../contract/status.ts'\nexport const runs = 1",
  'src/db/side-effects/sold-stock.ts': "import '../core/database.ts'\nexport const soldStock = 1",
  'src/engine/process/queue.ts': "import 'pg-boss'\nexport const queue = 1",
  'src/engine/run/run.ts':
    "import '../../entities/catalog/brands.ts'\nimport '../../db/runs/runs.ts'\nexport const run = 1",
  'src/accounts/login.ts': "import '../db/runs/runs.ts'\nexport const login = 1",
  'src/operations/migrations/pause.ts':
    "import '../../engine/run/run.ts'\nimport '../../accounts/login.ts'\nexport const pause = 1",
  'src/api/server.ts':
    "import '@fastify/under-pressure'\nimport '../operations/migrations/pause.ts'\nexport const server = 1",
  'src/app.ts': "import './config.ts'\nimport './api/server.ts'\nexport const app = 1",
  'sandbox/server.ts': "import 'node:sqlite'\nexport const sandbox = 1",
  'cli/start.ts': "import '../src/app.ts'\nimport '../sandbox/server.ts'\nexport const start = 1",
  'src/model/decide.test.ts': "import 'vitest'\nimport './decide.ts'\nimport '../../test/world.ts'",
  'test/world.ts': "import '../src/app.ts'\nexport const world = 1",
}

let house: string
beforeEach(async () => {
  house = await mkdtemp(join(tmpdir(), 'storeferry-boundaries-'))
})
afterEach(() => rm(house, { recursive: true }))

test('a house that keeps its arrows has no breach', async () => {
  await build(cleanHouse)
  expect(await findBreaches(house)).toEqual({ modules: 18, breaches: [] })
})

/** A rule, the file that breaks it, and what the file imports. */
const forbidden = [
  ['contract-may-use-nothing', 'src/contract/status.ts', '../model/decide.ts'],
  ['model-may-use-contract', 'src/model/decide.ts', '../db/runs/runs.ts'],
  ['bigcommerce-may-use-contract', 'src/bigcommerce/client.ts', '../model/decide.ts'],
  ['probe-may-use-bigcommerce-contract', 'src/probe/kinds.ts', '../db/runs/runs.ts'],
  ['entities-may-use-bigcommerce-model-contract', 'src/entities/catalog/brands.ts', '../../db/runs/runs.ts'],
  ['db-may-use-model-contract', 'src/db/runs/runs.ts', '../../accounts/login.ts'],
  ['engine-may-use-entities-bigcommerce-db-model-contract', 'src/engine/run/run.ts', '../../accounts/login.ts'],
  ['accounts-may-use-db-model-contract', 'src/accounts/login.ts', '../engine/run/run.ts'],
  [
    'operations-may-use-engine-entities-bigcommerce-search-notifications-accounts-db-model-contract',
    'src/operations/migrations/pause.ts',
    '../../api/server.ts',
  ],
  ['api-may-use-operations-accounts-contract-oauth-mcp', 'src/api/server.ts', '../db/runs/runs.ts'],
  ['search-may-use-db-model-contract', 'src/search/indexer.ts', '../engine/run/run.ts'],
  ['oauth-may-use-accounts-db-contract', 'src/oauth/provider.ts', '../operations/migrations/pause.ts'],
  ['mcp-may-use-operations-accounts-contract', 'src/mcp/endpoint.ts', '../engine/run/run.ts'],
  ['src/db/core-looks-down', 'src/db/core/database.ts', '../runs/runs.ts'],
  ['src/db/runs-looks-down', 'src/db/runs/runs.ts', '../side-effects/sold-stock.ts'],
  ['src/engine/run-looks-down', 'src/engine/run/run.ts', '../process/queue.ts'],
  ['every-room-of-src/engine-has-a-floor', 'src/engine/elsewhere/dates.ts', '../run/run.ts'],
  ['every-room-of-src/operations-has-a-floor', 'src/operations/pause.ts', '../clock.ts'],
  ['every-folder-has-a-row', 'src/helpers/dates.ts', '../clock.ts'],
  ['clock-and-log-use-nothing', 'src/clock.ts', './db/runs/runs.ts'],
  ['config-is-for-app-and-main', 'src/engine/run/run.ts', '../../config.ts'],
  ['sandbox-may-use-nothing', 'sandbox/server.ts', '../src/contract/status.ts'],
  ['cli-may-use-contract-probe-app-sandbox', 'cli/start.ts', '../src/engine/run/run.ts'],
  ['main-starts-the-commands', 'src/app.ts', '../sandbox/server.ts'],
  ['nothing-uses-tests', 'src/app.ts', '../test/world.ts'],
  ['no-dev-package-in-the-product', 'src/app.ts', 'vitest'],
  ['contract-and-model-do-no-io', 'src/model/decide.ts', 'node:fs/promises'],
  ['stores-are-called-through-the-connector', 'src/engine/run/run.ts', 'node:https'],
  ['every-import-resolves', 'src/app.ts', './missing.ts'],
  ['undici-has-a-home', 'src/engine/run/run.ts', 'undici'],
  ['pg-has-a-home', 'src/engine/run/run.ts', 'pg'],
  ['pg-boss-has-a-home', 'src/api/server.ts', 'pg-boss'],
  ['fastify-has-a-home', 'src/operations/migrations/pause.ts', '@fastify/under-pressure'],
] as const

test('each forbidden import is reported by its rule, where all are made at once', async () => {
  await build(cleanHouse)
  for (const [from, imports] of Map.groupBy(forbidden, ([, from]) => from))
    await plant(from, imports.map(([, , to]) => `import '${to}'`).join('\n'))
  const { breaches } = await findBreaches(house)
  for (const [rule, from, to] of forbidden)
    expect(breaches).toContainEqual(
      expect.objectContaining({ rule, from, to: expect.toBeOneOf([to, reached(from, to)]) }),
    )
})

/** The file that an import leads to, as the cruiser names it. */
function reached(from: string, to: string): string {
  if (to.startsWith('.')) return posix.join(posix.dirname(from), to)
  return to.startsWith('node:') ? to.slice('node:'.length) : `node_modules/${to}/index.js`
}

test('an import of a type only is a breach like any other', async () => {
  await build(cleanHouse)
  await plant('src/bigcommerce/client.ts', "import type { run } from '../engine/run/run.ts'")
  expect((await findBreaches(house)).breaches).toContainEqual(
    expect.objectContaining({ rule: 'bigcommerce-may-use-contract' }),
  )
})

test('a type from a higher floor is a breach, too', async () => {
  await build(cleanHouse)
  await plant('src/db/core/database.ts', "import type { runs } from '../runs/runs.ts'")
  expect((await findBreaches(house)).breaches).toContainEqual(
    expect.objectContaining({ rule: 'src/db/core-looks-down' }),
  )
})

test('two files that need each other at run time are reported', async () => {
  await build({ ...cleanHouse, 'src/contract/other.ts': "import './status.ts'" })
  await plant('src/contract/status.ts', "import './other.ts'")
  expect((await findBreaches(house)).breaches).toMatchObject([{ rule: 'no-cycles' }])
})

test('two files that need each other for a type only are reported, too', async () => {
  await build({
    ...cleanHouse,
    'src/contract/other.ts': "import type { status } from './status.ts'\nexport type A = 1",
  })
  await plant('src/contract/status.ts', "import type { A } from './other.ts'")
  expect((await findBreaches(house)).breaches).toMatchObject([{ rule: 'no-cycles' }])
})

test('a check that looked at no module of the product fails', async () => {
  await build({ 'package.json': '{}', 'test/world.ts': 'export {}' })
  await mkdir(join(house, 'src'))
  await expect(findBreaches(house)).rejects.toThrow('0 modules cruised')
})

function somePackage(name: string) {
  return {
    [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: '1.0.0', main: 'index.js' }),
    [`node_modules/${name}/index.js`]: '',
  }
}

async function build(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) await write(path, text)
}

async function plant(path: string, line: string) {
  await write(path, `${line}\n${(cleanHouse as Record<string, string>)[path] ?? 'export {}'}\n`)
}

async function write(path: string, text: string) {
  await mkdir(dirname(join(house, path)), { recursive: true })
  await writeFile(join(house, path), text)
}
