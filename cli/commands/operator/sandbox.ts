import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { SandboxStoreOptions } from '../../../sandbox/admin/store-list.ts'
import { PLAN_QUOTAS, type Plan } from '../../../sandbox/server/quota.ts'
import type { Sandbox, SandboxOptions } from '../../../sandbox/start.ts'
import { type CommandLine, print, untilStopped } from '../../shared/command-line.ts'
import { portNumber, wholeNumber } from '../../shared/numbers.ts'

/** A store as given; its seed can only be checked once the sandbox is loaded. */
interface Wish {
  name: string
  seed: string
}

interface SandboxCommandOptions {
  store: Wish[]
  port: number
  plan: Plan
  latency: number
  jitterSeed: number
  profile?: string
  switch: Record<string, unknown>
  tls?: boolean
  tlsPort: number
  data?: string
  admin?: boolean
  seeds?: boolean
}

const usualStores: Wish[] = [
  { name: 'source', seed: 'small' },
  { name: 'destination', seed: 'empty' },
]

export function addSandbox(program: Command, commandLine: CommandLine): void {
  program
    .command('sandbox')
    .description('run a local BigCommerce, for development and tests')
    .addOption(
      new Option(
        '--store <name=seed>',
        'a store and its content: one of --seeds, or an exported .ndjson; may be repeated',
      )
        .argParser(collectStore)
        .default(usualStores, 'source=small and destination=empty'),
    )
    .option('--seeds', 'list the available seeds and exit')
    .option('--port <number>', 'port on 127.0.0.1; 0 chooses a free one', portNumber, 0)
    .option('--tls', 'serve the same stores over TLS as well, and print the certificate to trust')
    .option('--tls-port <number>', 'port for --tls; 0 chooses a free one', portNumber, 0)
    .addOption(
      new Option('--plan <plan>', 'call quota of every store').choices(Object.keys(PLAN_QUOTAS)).default('unlimited'),
    )
    .option('--latency <ms>', 'response time in milliseconds, plus or minus 30%', wholeNumber, 0)
    .option('--jitter-seed <number>', 'the same seed repeats the same latencies and faults', wholeNumber, 1)
    .option('--profile <name>', 'a set of switches of all stores, e.g. as-seen: as real stores were seen to answer')
    .addOption(
      new Option('--switch <name=value>', 'set an undocumented behaviour of all stores; may be repeated')
        .argParser(collectSwitch)
        .default({}, 'none'),
    )
    .option('--data <directory>', 'keep the stores in this directory (default: in memory)')
    .option('--admin', 'serve the admin API, which inspects stores and injects faults; prints its token')
    .addHelpText(
      'after',
      '\nExample:\n  storeferry sandbox --store old=small --store new=empty --plan pro --latency 100',
    )
    .action((options: SandboxCommandOptions) => runSandbox(commandLine, options))
}

async function runSandbox(commandLine: CommandLine, options: SandboxCommandOptions): Promise<void> {
  // Imported here, so other commands do not load it.
  const { SEEDS } = await import('../../../sandbox/seeds/plant-seed.ts')
  if (options.seeds) return print(commandLine, SEEDS.join('\n'))
  const { startSandbox } = await import('../../../sandbox/start.ts')
  const adminToken = options.admin ? randomBytes(16).toString('hex') : undefined
  const stores = options.store.map((wish) => ({ ...storeOf(wish, SEEDS, options.switch), profile: options.profile }))
  const sandbox = await startSandbox({ ...startOptions(options), stores, adminToken })
  try {
    printAddresses(commandLine, sandbox, adminToken)
    await untilStopped(commandLine.signal)
  } finally {
    await sandbox.close()
  }
}

function startOptions(options: SandboxCommandOptions): Omit<SandboxOptions, 'stores'> {
  const { port, plan, latency, jitterSeed, tls, tlsPort, data } = options
  const latencyMs = { read: latency, write: latency, heavy: latency }
  return { port, plan, latencyMs, jitterSeed, tls, tlsPort, dataDirectory: data }
}

function storeOf(
  { name, seed }: Wish,
  seeds: readonly SandboxStoreOptions['seed'][],
  switches: Record<string, unknown>,
): SandboxStoreOptions {
  if (seed.endsWith('.ndjson')) return { name, file: seed, switches }
  const known = seeds.find((candidate) => candidate === seed)
  if (!known) throw new Error(`There is no seed "${seed}" for store ${name}; give one of ${seeds.join(', ')}.`)
  return { name, seed: known, switches }
}

function printAddresses(commandLine: CommandLine, { url, tls, stores }: Sandbox, adminToken: string | undefined): void {
  print(commandLine, `BIGCOMMERCE_API_URL=${url}`)
  for (const store of Object.values(stores)) print(commandLine, `${store.name}: ${store.url} token: ${store.token}`)
  if (adminToken) print(commandLine, `admin: ${url}/__sandbox, X-Sandbox-Admin: ${adminToken}`)
  if (tls) print(commandLine, `tls: ${tls.url}\n${tls.certificate.trim()}`)
}

function collectStore(text: string, collected: Wish[]): Wish[] {
  const [name, seed] = nameAndValue(text, 'Give name=seed, e.g. source=small.')
  return collected === usualStores ? [{ name, seed }] : [...collected, { name, seed }]
}

/** Values that are JSON, such as `true`, `10` and `"10"`, are parsed; everything else is a string. */
function collectSwitch(text: string, collected: Record<string, unknown>): Record<string, unknown> {
  const [name, value] = nameAndValue(text, 'Give name=value, e.g. serve_originals=false.')
  return { ...collected, [name]: jsonOrText(value) }
}

function nameAndValue(text: string, remedy: string): [name: string, value: string] {
  const at = text.indexOf('=')
  if (at < 1 || at === text.length - 1) throw new InvalidArgumentError(remedy)
  return [text.slice(0, at), text.slice(at + 1)]
}

function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
