import type { Config } from '../../src/app.ts'
import type { CommandLine } from '../shared/command-line.ts'

/** A demo never comes near real data (S11). @throws when a database or a platform is configured */
export function refuseRealData({ environment }: CommandLine): void {
  const named = ['DATABASE_URL', 'BIGCOMMERCE_API_URL'].find((name) => environment[name])
  if (named === undefined) return
  throw new Error(`The demo uses its own temporary database and stores; unset ${named} and start it again.`)
}

/** Independent of any configured service: its own directory, port, key and platform. */
export function demoConfig(
  commandLine: CommandLine,
  { directory, apiUrl, port }: { directory: string; apiUrl: string; port: number },
): Config {
  return {
    ...commandLine.config(),
    siteUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dataDirectory: directory,
    key: undefined,
    oldKeys: [],
    databaseUrl: undefined,
    bigcommerceApiUrl: apiUrl,
    // The sandbox applies a write before it answers, so none arrives late.
    settleSeconds: 3,
    logLevel: commandLine.environment.LOG_LEVEL ? commandLine.config().logLevel : 'warn',
  }
}
