import { randomBytes } from 'node:crypto'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { PLAN_QUOTAS, type Plan } from '../../sandbox/quota.ts'
import type { SandboxStoreOptions } from '../../sandbox/start.ts'
import { type CommandLine, print, untilAsked } from '../command-line.ts'

type Wish = Pick<SandboxStoreOptions, 'name' | 'seed'>

interface SandboxCommandOptions {
  store: Wish[]
  port: number
  plan: Plan
  latency: number
  data?: string
  admin?: boolean
}

const seeds: Record<Wish['seed'], true> = {
  empty: true,
  tiny: true,
  small: true,
  medium: true,
  large: true,
  awkward: true,
  'tiny-two-storefronts': true,
  'small-two-storefronts': true,
  'medium-two-storefronts': true,
  'large-two-storefronts': true,
  'awkward-two-storefronts': true,
}
const usualStores: Wish[] = [
  { name: 'source', seed: 'small' },
  { name: 'destination', seed: 'empty' },
]

export function addSandbox(program: Command, commandLine: CommandLine): void {
  program
    .command('sandbox')
    .description('run a BigCommerce of your own on this machine, to develop and try things against')
    .addOption(
      new Option('--store <name=seed>', `a store and what is in it (${Object.keys(seeds).join(', ')}); may be repeated`)
        .argParser(collectStore)
        .default(usualStores, 'source=small and destination=empty'),
    )
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', wholeNumber, 0)
    .addOption(
      new Option('--plan <plan>', 'call quota of every store').choices(Object.keys(PLAN_QUOTAS)).default('unlimited'),
    )
    .option('--latency <ms>', 'how long every answer takes', wholeNumber, 0)
    .option('--data <directory>', 'keep the stores here (default: in memory)')
    .option('--admin', 'serve the admin API, which looks into stores and makes them misbehave; prints its token')
    .action((options: SandboxCommandOptions) => runSandbox(commandLine, options))
}

async function runSandbox(commandLine: CommandLine, options: SandboxCommandOptions): Promise<void> {
  const { store: stores, port, plan, latency, data } = options
  const adminToken = options.admin ? randomBytes(16).toString('hex') : undefined
  const latencyMs = { read: latency, write: latency, heavy: latency }
  // Only here, so that other commands do not load it.
  const { startSandbox } = await import('../../sandbox/start.ts')
  const sandbox = await startSandbox({ stores, port, plan, latencyMs, dataDirectory: data, adminToken })
  try {
    print(commandLine, `BIGCOMMERCE_API_URL=${sandbox.url}`)
    for (const store of Object.values(sandbox.stores)) {
      print(commandLine, `${store.name}: ${store.url}`)
      print(commandLine, `  token: ${store.token}`)
    }
    if (adminToken) print(commandLine, `admin: ${sandbox.url}/__sandbox, X-Sandbox-Admin: ${adminToken}`)
    await untilAsked(commandLine.signal)
  } finally {
    await sandbox.close()
  }
}

function collectStore(text: string, collected: Wish[]): Wish[] {
  const [name = '', seed = ''] = text.split('=')
  const isSeed = (value: string): value is Wish['seed'] => Object.hasOwn(seeds, value)
  if (!name || !isSeed(seed))
    throw new InvalidArgumentError(`Give name=seed with one of ${Object.keys(seeds).join(', ')}.`)
  return collected === usualStores ? [{ name, seed }] : [...collected, { name, seed }]
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.')
  return Number(text)
}
