import { glob, readFile } from 'node:fs/promises'
import { Writable } from 'node:stream'
import { Ajv } from 'ajv'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { programOf } from '../../cli/program.ts'
import type { CommandLine } from '../../cli/shared/command-line.ts'
import { healthPaths } from '../../src/api/health.ts'
import { readConfig, settings } from '../../src/config.ts'
import { type Tier, tiers } from '../../src/contract/migration.ts'
import { openDatabase } from '../../src/db/core/database.ts'
import { capacities } from '../../src/model/forecast/tier.ts'
import { aRun } from '../db/a-run.ts'
import { createDatabase } from '../harness/postgres.ts'

const chart = new URL('../../deploy/helm/storeferry/', import.meta.url)
const readText = (path: string) => readFile(new URL(path, chart), 'utf8')

interface Pool {
  tiers: Tier[]
  maxRuns: number
  resources: { limits: { memory: string } }
}
const values = parse(await readText('values.yaml'))
const schema = JSON.parse(await readText('values.schema.json'))
const templates = await readTemplates()
const everything = Object.values(templates).join('\n')
const validate = new Ajv({ allErrors: true }).compile(schema)

/** As Helm joins what somebody sets with the defaults of the chart. */
function merged(defaults: unknown, given: unknown): unknown {
  if (!isMap(defaults) || !isMap(given)) return given
  const keys = new Set([...Object.keys(defaults), ...Object.keys(given)])
  return Object.fromEntries(
    [...keys].map((key) => [key, key in given ? merged(defaults[key], given[key]) : defaults[key]]),
  )
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function faultsOf(given: object): string[] {
  validate(merged(values, given))
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

test('the default values and the example are what the schema of the chart describes', async () => {
  expect(faultsOf({})).toEqual([])
  expect(faultsOf(parse(await readText('ci/example-values.yaml')))).toEqual([])
})

test.each([
  ['an address without https', { url: 'http://ferry.agency.example' }, '/url'],
  ['a setting that does not exist', { settings: { STOREFERRY_QUOTA: '0.2' } }, '/settings'],
  [
    'a setting that is no text, which Helm may spell otherwise',
    { settings: { STOREFERRY_LEDGER_DAYS: 30 } },
    '/settings',
  ],
  ['a setting that the chart sets itself', { settings: { PORT: '80' } }, '/settings'],
  ['a tier that does not exist', { workers: { large: { tiers: ['huge'] } } }, '/workers/large'],
  ['a pool without a worker', { workers: { large: { replicas: 0 } } }, '/workers/large'],
  ['a value that nothing reads', { server: { replica: 3 } }, '/server'],
])('the schema refuses %s', (_, given, place) => {
  expect(faultsOf(given).filter((fault) => fault.startsWith(place))).not.toEqual([])
})

test('a pool is removed by null', () => {
  expect(faultsOf({ workers: { large: null } })).toEqual([])
})

test('what the templates and the schema set are settings that exist, and together they are all but those named here', () => {
  const set = [...everything.matchAll(/- name: ([A-Z][A-Z_]+)\n/g)].map(([, name = '']) => name)
  const settable = Object.keys(schema.properties.settings.properties)
  expect([...set, ...settable].filter((name) => !(name in settings))).toEqual([])
  expect(settable.filter((name) => set.includes(name))).toEqual([])
  const left = Object.keys(settings).filter((name) => ![...set, ...settable].includes(name))
  // The memory of runs follows the limit of their container, and a folder of recorded answers would be lost with it.
  expect(left.sort()).toEqual(['STOREFERRY_RECORD', 'STOREFERRY_RUN_MEMORY_MIB'])
})

test.each([
  ['OpenSearch', /openSearchUrl/, 'searchPort'],
  ['the collector of traces', /OTEL_EXPORTER_OTLP_ENDPOINT/, 'tracesPort'],
])('the policy opens the port of %s only under a condition', (_, condition, port) => {
  const policy = templates['network-policy.yaml'] ?? ''
  const blocks = [...policy.matchAll(/\{\{- if (.*) \}\}\n([^\n]*)/g)]
  const guarded = blocks.filter(([, asked = '']) => condition.test(asked)).map(([, , line]) => line)
  expect(guarded).toEqual([`    - ports: [{ port: {{ .${port} }} }]`])
  expect(policy.split(`.${port}`)).toHaveLength(2)
})

test('every fixed value of a setting is accepted', () => {
  const fixed = [...everything.matchAll(/- name: ([A-Z][A-Z_]+)\n\s+value: "?([\w./]+)"?\n/g)]
  expect(fixed.map(([, name]) => name)).toEqual(expect.arrayContaining(['HOST', 'PORT', 'STOREFERRY_METRICS_PORT']))
  const config = readConfig(Object.fromEntries(fixed.map(([, name = '', value = '']) => [name, value])))
  expect(config).toMatchObject({ host: '0.0.0.0', port: 4000, metrics: { host: '0.0.0.0', port: 9464 } })
  for (const [, port = ''] of everything.matchAll(/containerPort: (\d+)/g))
    expect([config.port, config.metrics?.port]).toContain(Number(port))
})

test('every value that a template reads has a default', () => {
  const read = [...everything.matchAll(/\.Values((?:\.\w+)+)/g)].map(([, path = '']) => path.slice(1).split('.'))
  expect(read.length).toBeGreaterThan(30)
  const missing = read.filter((path) => !hasPath(values, path))
  expect(missing).toEqual([])
})

function hasPath(value: unknown, [key, ...rest]: string[]): boolean {
  if (key === undefined) return true
  return isMap(value) && key in value && hasPath(value[key], rest)
}

test('the chart has the version of the package, and its containers run commands that exist', async () => {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'))
  expect(parse(await readText('Chart.yaml'))).toMatchObject({ version, appVersion: version })
  const started = [...everything.matchAll(/args: \[(\w+)\]/g)].map(([, name]) => name)
  expect(started).toEqual(['server', 'worker'])
  expect(commandNames()).toEqual(expect.arrayContaining(started))
  const migration = templates['migration.yaml']?.match(/storeferry\.cjs (\w+) (\w+)/)
  expect(migration?.slice(1)).toEqual(['admin', 'list'])
  expect(commandNames('admin')).toContain('list')
})

test('probes ask for addresses that answer on any host name', () => {
  const asked = [...everything.matchAll(/httpGet: \{ path: (\S+), port: (\w+) \}/g)]
  expect(asked.map(([, path, port]) => [port, path]).sort()).toEqual([
    ['http', '/healthz'],
    ['http', '/healthz'],
    ['http', '/readyz'],
    ['metrics', '/healthz'],
    ['metrics', '/healthz'],
    ['metrics', '/readyz'],
  ])
  expect(asked.filter(([, path = '']) => !healthPaths.includes(path))).toEqual([])
})

test('the tiers of the chart are those of the service; the default pools take all of them, with memory for as many runs as they take', () => {
  const named = templates['_tiers.tpl']?.match(/\n(\[.*\])\n/)?.[1] ?? ''
  expect(JSON.parse(named)).toEqual(tiers)
  expect(schema.definitions.pool.properties.tiers.items.enum).toEqual(tiers)
  const pools = Object.values<Pool>(values.workers)
  expect(pools.flatMap((pool) => pool.tiers)).toEqual(tiers)
  for (const pool of pools) {
    const [, gibibytes = ''] = pool.resources.limits.memory.match(/^(\d+)Gi$/) ?? []
    const largest = Math.max(...pool.tiers.map((tier) => capacities[tier].memMB))
    expect(Number(gibibytes) * 1024 * 0.75).toBeGreaterThanOrEqual(largest * pool.maxRuns)
  }
})

test('the queue depth of a pool counts the runs of its tiers that need a process', async () => {
  const { url, drop } = await createDatabase()
  const database = openDatabase(url)
  onTestFinished(async () => {
    await database.destroy()
    await drop()
  })
  const query = templates['_tiers.tpl']?.match(/(select count[\s\S]*?)\{\{- end/)?.[1] ?? ''
  const depth = async (pool: string) => {
    const text = query.replace(/'\{\{.*\}\}'/, pool)
    return Number((await sql.raw<{ count: string }>(text).execute(database)).rows[0]?.count)
  }
  for (const [tier, status, next] of [
    ['small', 'queued', null],
    ['large', 'in_progress', null],
    ['large', 'in_progress', '-1 minute'],
    ['large', 'in_progress', '1 minute'],
    ['large', 'paused', null],
    ['small', 'completed', null],
    ['xlarge', 'queued', null],
  ]) {
    const { runId } = await aRun(database)
    await sql`update runs set tier = ${tier}, status = ${status}, next_try_at = now() + ${next}::interval where id = ${runId}`.execute(
      database,
    )
  }
  expect([await depth("'small','medium','large'"), await depth("'xlarge'"), await depth("'xxlarge'")]).toEqual([
    3, 1, 0,
  ])
})

function commandNames(parent?: string): string[] {
  const output = new Writable()
  const commandLine = { output, environment: {}, version: '' } as unknown as CommandLine
  const program = programOf(commandLine, output)
  const of = parent === undefined ? program : program.commands.find((command) => command.name() === parent)
  return (of?.commands ?? []).map((command) => command.name())
}

async function readTemplates(): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const name of glob('*', { cwd: new URL('templates/', chart) }))
    found[name] = await readText(`templates/${name}`)
  return found
}
