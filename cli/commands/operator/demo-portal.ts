import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App } from '../../../src/app.ts'
import { createLog } from '../../../src/log.ts'
import { demoConfig, refuseRealData } from '../../demo/demo-config.ts'
import { type DemoSandbox, startDemoSandbox } from '../../demo/demo-sandbox.ts'
import { type CommandLine, print, untilStopped } from '../../shared/command-line.ts'

const latencyMs = 20
/** One of the people who run the service, in no organization. */
const administrator = 'administrator@demo.example'

/** `start --demo`: the service with two sandbox stores, and links to sign in with. Leaves nothing behind. */
export async function serveDemo(commandLine: CommandLine): Promise<void> {
  refuseRealData(commandLine)
  await using ending = new AsyncDisposableStack()
  // Imported here: commands over HTTP start ten times faster without the service.
  const { startApp, freePort, removeEmbeddedPostgres } = await import('../../../src/app.ts')
  const directory = await mkdtemp(join(tmpdir(), 'storeferry-demo-'))
  ending.defer(() => removeEmbeddedPostgres(directory))
  const sandbox = await startDemoSandbox({ size: 'small', plan: 'unlimited', latencyMs })
  ending.defer(() => sandbox.stop())
  const config = demoConfig(commandLine, { directory, apiUrl: sandbox.url, port: await freePort() })
  const log = createLog({ level: config.logLevel, role: 'demo', destination: process.stderr })
  const app = await startApp({ roles: ['server', 'worker'], config, log, buildPortal: true })
  ending.defer(() => app.stop())
  commandLine.signal.throwIfAborted()
  await welcome(commandLine, app, sandbox)
  await untilStopped(commandLine.signal)
}

/**
 * An organization with two connected stores, an owner and an administrator, who choose a password with a link that
 * works once.
 */
async function welcome(commandLine: CommandLine, { administration, url }: App, sandbox: DemoSandbox): Promise<void> {
  const organisation = 'Demo Outfitters'
  const email = 'owner@demo.example'
  const { invitation } = await administration.createOrganisation({
    name: organisation,
    owner: { firstName: 'Dana', lastName: 'Demo', email },
  })
  if (!invitation) throw new Error('The owner of the demo has a password already.')
  await administration.enableStoreMigration({ organisation })
  for (const { store, label } of [
    { store: sandbox.source, label: 'Old shop' },
    { store: sandbox.destination, label: 'New shop' },
  ])
    await administration.connectStore({ organisation, hash: store.hash, token: store.token, label })
  print(commandLine, `Storeferry is ready at ${url}/app, to copy one BigCommerce store to another and compare the two.`)
  print(commandLine, 'Its two stores are made up and on this machine: Old shop (full) and New shop (empty).')
  print(commandLine, `Choose a password by this link, which works once, then sign in as ${email}:`)
  print(commandLine, `  ${invitation.link}`)
  const staff = await administration.createAdministrator({ firstName: 'Ada', lastName: 'Demo', email: administrator })
  if (!staff.invitation) throw new Error('The administrator of the demo has a password already.')
  print(commandLine, 'Home then says what to do next.')
  print(commandLine, `For Administration, with Migration Access, in another browser profile, as ${administrator}:`)
  print(commandLine, `  ${staff.invitation.link}`)
  print(commandLine, 'Ctrl-C ends the demo and leaves nothing behind.')
}
