import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { App } from '../../../src/app.ts'
import { createLog } from '../../../src/log.ts'
import { type CommandLine, print, untilStopped } from '../../shared/command-line.ts'
import { serveDemo } from './demo-portal.ts'

type Role = 'server' | 'worker'

const roles: Record<'start' | Role, { description: string; roles: Role[] }> = {
  start: {
    description: 'run everything: API, runs and, without DATABASE_URL, the database',
    roles: ['server', 'worker'],
  },
  server: { description: 'answer the API only; needs DATABASE_URL', roles: ['server'] },
  worker: { description: 'work on runs only; needs DATABASE_URL', roles: ['worker'] },
}

const database = 'DATABASE_URL=postgres://ferry@db.example/ferry STOREFERRY_KEY=...'
const examples: Record<keyof typeof roles, string> = {
  start: 'PORT=4000 storeferry start',
  server: `${database} storeferry server`,
  worker: `${database} storeferry worker`,
}

/** `start`, `server` and `worker`: the three roles of one program. */
export function addService(program: Command, commandLine: CommandLine): void {
  for (const [name, { description, roles: chosen }] of Object.entries(roles)) {
    const command = program
      .command(name)
      .description(description)
      .addHelpText(
        'after',
        `\nSettings are environment variables, such as PORT.\n\nExample:\n  ${examples[name as keyof typeof roles]}`,
      )
    if (name === 'start')
      command.option('--demo', 'with two sandbox stores and a link to sign in; leaves nothing behind')
    command.action(({ demo }: { demo?: boolean }) => (demo ? serveDemo(commandLine) : serve(commandLine, name, chosen)))
  }
}

async function serve(commandLine: CommandLine, name: string, chosen: Role[]): Promise<void> {
  const config = commandLine.config()
  if (name !== 'start' && !config.databaseUrl) {
    throw new Error(
      `"storeferry ${name}" shares a database with other hosts: set DATABASE_URL, or use "storeferry start".`,
    )
  }
  // Imported here: commands over HTTP start ten times faster without the service.
  const { startApp } = await import('../../../src/app.ts')
  const log = createLog({ level: config.logLevel, role: name })
  const app = await startApp({ roles: chosen, config, log, buildPortal: true })
  try {
    await greet(commandLine, app, chosen)
    await untilStopped(commandLine.signal)
  } finally {
    await app.stop()
  }
}

async function greet(commandLine: CommandLine, app: App, chosen: Role[]): Promise<void> {
  print(commandLine, chosen.includes('server') ? `Storeferry is ready at ${app.url}` : 'Storeferry is ready for runs')
  if (await app.administration.hasAdministrator()) return
  if (chosen.includes('server')) {
    await showLink(commandLine, await app.administration.firstAdministratorLink())
    print(commandLine, 'Or create the first administrator from another terminal on this machine:')
  } else
    print(commandLine, 'There is no administrator yet. Create the first one from another terminal on this machine:')
  print(commandLine, '  storeferry admin create-administrator --first-name NAME --last-name NAME --email ADDRESS')
}

/** A terminal shows the link. Any other output may be a log that others read, so the link goes into a file (S11). */
async function showLink(commandLine: CommandLine, link: string): Promise<void> {
  const says = 'There is no administrator yet. To create the first one, open this within 30 minutes; it works once:'
  if (commandLine.output.isTTY) {
    print(commandLine, `${says}\n  ${link}`)
    return
  }
  const { dataDirectory } = commandLine.config()
  const file = join(dataDirectory, 'first-administrator-link')
  print(commandLine, 'There is no administrator yet.')
  try {
    const { prepareDirectory } = await import('../../../src/app.ts')
    await prepareDirectory(dataDirectory, 'STOREFERRY_DATA')
    await rm(file, { force: true })
    await writeFile(file, `${link}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    // With DATABASE_URL, the service needs no data directory for anything else.
    return print(commandLine, `The link to create one could not be written. ${(error as Error).message}`)
  }
  print(commandLine, `To create the first administrator, open the link in ${file} within 30 minutes; it works once.`)
  print(commandLine, 'It is not printed here, because this output may be a log that others read. To show it:')
  print(commandLine, `  cat '${file}'`)
}
