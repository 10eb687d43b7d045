import type { Config } from '../../src/app.ts'

/** The configuration of a command. */
interface Settings {
  environment: Record<string, string | undefined>
  config(): Config
}

/** A demo never uses real data (S11). @throws when a database or a platform is configured */
export function refuseRealData({ environment }: Pick<Settings, 'environment'>): void {
  const named = ['DATABASE_URL', 'BIGCOMMERCE_API_URL'].find((name) => environment[name])
  if (named === undefined) return
  throw new Error(`The demo uses its own temporary database and stores; unset ${named} and start it again.`)
}

/** Independent of any configured service: its own directory, port, key and platform. */
export function demoConfig(
  { environment, config }: Settings,
  { directory, apiUrl, port }: { directory: string; apiUrl: string; port: number },
): Config {
  const configured = config()
  return {
    ...configured,
    siteUrl: `http://127.0.0.1:${port}`,
    host: '127.0.0.1',
    port,
    dataDirectory: directory,
    key: undefined,
    oldKeys: [],
    databaseUrl: undefined,
    bigcommerceApiUrl: apiUrl,
    app: undefined,
    // The sandbox applies a write before it responds, so no write arrives late.
    settleSeconds: 3,
    // A person who tries the demo may have no authenticator app at hand.
    administratorSecondStep: false,
    smtpUrl: undefined,
    metrics: undefined,
    logLevel: environment.LOG_LEVEL ? configured.logLevel : 'warn',
  }
}
