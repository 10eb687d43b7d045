import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Plan } from '../../../sandbox/server/quota.ts'
import type { App } from '../../../src/app.ts'
import type { Difference } from '../../../src/contract/differences.ts'
import type { Forecast, MigrationDetail } from '../../../src/contract/migration.ts'
import { createLog } from '../../../src/log.ts'
import { demoConfig, refuseRealData } from '../../demo/demo-config.ts'
import { type DemoSandbox, startDemoSandbox } from '../../demo/demo-sandbox.ts'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { formatDuration } from '../../shared/duration.ts'
import { followMigration, phaseTable } from '../../shared/follow-migration.ts'
import { isWithheld } from '../../shared/is-withheld.ts'
import { counted } from '../../shared/numbers.ts'
import { connect, everyItem, migrationPath, type ServiceClient } from '../../shared/service-client.ts'
import { formatTable } from '../../shared/table.ts'

interface DemoOptions {
  plan: Plan
  size: 'small' | 'tiny'
  latency: number
}

export function addDemo(program: Command, commandLine: CommandLine): void {
  program
    .command('demo')
    .description('copy one sandbox store to another, verify the copy and show the results; leaves nothing behind')
    .addOption(
      new Option('--plan <plan>', 'call quota of both stores')
        .choices(['unlimited', 'pro', 'plus'])
        .default('unlimited'),
    )
    .addOption(new Option('--size <size>', 'the catalogue to copy').choices(['small', 'tiny']).default('small'))
    .option('--latency <ms>', 'response time of the stores in milliseconds', milliseconds, 20)
    .addHelpText('after', '\nExample:\n  storeferry demo --plan pro --size tiny')
    .action((options: DemoOptions) => demo(commandLine, options))
}

function milliseconds(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Give a whole number of milliseconds.')
  return Number(text)
}

async function demo(commandLine: CommandLine, options: DemoOptions): Promise<void> {
  refuseRealData(commandLine)
  await using ending = new AsyncDisposableStack()
  // Imported here: commands over HTTP start ten times faster without the service.
  const { startApp, freePort, removeEmbeddedPostgres } = await import('../../../src/app.ts')
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-demo-'))
  ending.defer(() => removeEmbeddedPostgres(directory))
  introduce(commandLine, options)
  const { size, plan, latency: latencyMs } = options
  const sandbox = await startDemoSandbox({ size, plan, latencyMs })
  ending.defer(() => sandbox.stop())
  const config = demoConfig(commandLine, { directory, apiUrl: sandbox.url, port: await freePort() })
  const log = createLog({ level: config.logLevel, role: 'demo', destination: process.stderr })
  const app = await startApp({ roles: ['server', 'worker'], config, log })
  ending.defer(() => app.stop())
  commandLine.signal.throwIfAborted()
  await migrateAndVerify(commandLine, { app, sandbox, plan })
}

function introduce(commandLine: CommandLine, { size, plan, latency }: DemoOptions): void {
  const quotas = { unlimited: 'without a quota', pro: '450 calls per 30 s each', plus: '150 calls per 30 s each' }
  const quota = quotas[plan as keyof typeof quotas]
  print(
    commandLine,
    `Two sandbox stores, plan ${plan} (${quota}), ${latency} ms per call: source (${size} catalogue), destination (empty).`,
  )
}

interface Stage {
  app: App
  sandbox: DemoSandbox
  plan: Plan
}

async function migrateAndVerify(commandLine: CommandLine, stage: Stage): Promise<void> {
  const { client, organisationId } = await signIn(commandLine, stage)
  const { source, destination } = stage.sandbox
  // The same body for both, so that the migration takes the forecast instead of reading the stores again.
  const body = { source: source.hash, destination: destination.hash, conflictStrategy: 'skip' }
  printForecast(commandLine, await client.post<Forecast>('/v2/forecast', body))
  const { requestId } = await client.post<MigrationDetail>('/v2/migrations', body)
  print(commandLine, `Migration ${requestId}`)
  const migrated = await followMigration(commandLine, client, requestId, { endsWithUs: true })
  print(commandLine, `\n${phaseTable(migrated)}\n\n${migrated.summaryLine}\n`)
  printCalls(commandLine, await usedCalls(stage.app, organisationId, requestId))
  const { differences, living } = await verify(commandLine, client, requestId)
  const apart = living === 0 ? '' : `; ${counted(living, 'value')} that each store keeps as its own`
  print(commandLine, `verified: ${counted(differences, 'difference')}${apart}`)
  // The package has no scripts.
  const start = commandLine.environment.npm_lifecycle_event === 'demo' ? 'npm start --' : 'npx storeferry start'
  print(commandLine, `\nIn a browser: ${start} --demo`)
  commandLine.exitWith(migrated.status === 'completed' && differences === 0 ? 0 : 1)
}

interface SignedIn {
  client: ServiceClient
  organisationId: string
}

/** An organisation with two stores, set up as an administrator would, then an ordinary login. */
async function signIn(commandLine: CommandLine, { app, sandbox }: Stage): Promise<SignedIn> {
  const organisation = 'Demo Outfitters'
  const email = 'owner@demo.example'
  const { administration } = app
  const { organisationId } = await administration.createOrganisation({
    name: organisation,
    owner: { firstName: 'Dana', lastName: 'Demo', email, password: randomBytes(24).toString('base64url') },
  })
  await administration.enableStoreMigration({ organisation })
  for (const store of [sandbox.source, sandbox.destination]) {
    await administration.connectStore({ organisation, hash: store.hash, token: store.token, label: store.name })
  }
  const { clientId, clientSecret } = await administration.issueCredential({ organisation })
  const anybody = connect({ siteUrl: app.url, signal: commandLine.signal })
  const { access_token: bearerToken } = await anybody.post<{ access_token: string }>('/v2/login', {
    username: 'Dana Demo',
    email,
    organization_name: organisation,
    client_id: clientId,
    client_secret: clientSecret,
  })
  print(commandLine, `Signed in at ${app.url}/v2/login as Dana Demo of ${organisation}.`)
  return { client: connect({ siteUrl: app.url, bearerToken, signal: commandLine.signal }), organisationId }
}

function printForecast(
  commandLine: CommandLine,
  { products, variants, brands, categories, etaSeconds }: Forecast,
): void {
  const scale = `${products} products, ${variants} variants, ${brands} brands, ${categories} categories`
  print(commandLine, `Forecast: ${scale}; ${formatDuration(etaSeconds)}.`)
}

interface CallCount {
  sourceReads: number
  destinationReads: number
  destinationWrites: number
}

async function usedCalls(app: App, organisationId: string, requestId: string): Promise<CallCount> {
  const calls = await app.callsOf(organisationId, requestId)
  const sum = (side: string, classes: string[]) =>
    calls.filter((row) => row.side === side && classes.includes(row.class)).reduce((total, row) => total + row.calls, 0)
  return {
    sourceReads: sum('source', ['read', 'write', 'heavy']),
    destinationReads: sum('destination', ['read']),
    destinationWrites: sum('destination', ['write', 'heavy']),
  }
}

const callLabels: Record<keyof CallCount, string> = {
  sourceReads: 'reading the source',
  destinationReads: 'reading the destination',
  destinationWrites: 'writing the destination',
}

function printCalls(commandLine: CommandLine, used: CallCount): void {
  const rows = Object.entries(callLabels).map(([key, label]) => [label, used[key as keyof CallCount]])
  print(commandLine, formatTable(['calls', 'used'], rows))
  const busier = Math.max(used.sourceReads, used.destinationReads + used.destinationWrites)
  const at = (quota: number) => `${formatDuration((busier / quota) * 30)} at ${quota} calls per 30 s`
  print(commandLine, `\nThe busier store took ${counted(busier, 'call')}: ${at(150)}, ${at(450)}.\n`)
}

/** How many differences the comparison found; destination-owned values are counted separately. */
interface Found {
  differences: number
  living: number
}

async function verify(commandLine: CommandLine, client: ServiceClient, migrated: string): Promise<Found> {
  const { requestId } = await client.post<MigrationDetail>(`${migrationPath(migrated)}/verify`)
  print(commandLine, `Verify ${requestId}`)
  const { status, summaryLine } = await followMigration(commandLine, client, requestId, { endsWithUs: true })
  print(commandLine, `\n${summaryLine}`)
  if (status !== 'completed' && status !== 'partial_completed') {
    throw new Error(`The verification ended ${status}; run the demo with LOG_LEVEL=info to see why.`)
  }
  return printDifferences(commandLine, client, requestId)
}

/** More would scroll the results off the screen. */
const shownDifferences = 40

async function printDifferences(commandLine: CommandLine, client: ServiceClient, id: string): Promise<Found> {
  const found = { differences: 0, living: 0 }
  for await (const difference of everyItem<Difference>(client, `${migrationPath(id)}/differences`, {})) {
    if (found.differences + found.living < shownDifferences) print(commandLine, describe(difference))
    found[difference.living ? 'living' : 'differences'] += 1
  }
  return found
}

function describe({ kind, component, item, fields, living }: Difference): string {
  const described = fields
    .map(({ path, source, destination }) =>
      isWithheld({ source, destination }) ? `${path} (not shown)` : `${path}: ${brief(source)} / ${brief(destination)}`,
    )
    .join(', ')
  return `  ${living ? 'kept' : kind} ${component} ${item.sourceId ?? ''} ${item.name ?? ''} ${described}`
}

function brief(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 120)
}
