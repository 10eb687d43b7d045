import type { MigrationRequest } from '../../data/queries.ts'
import { quoted } from '../api-access/login-examples.ts'

/** Starts a migration with the same choices. The token comes from the environment, so that it is in no shell history. */
export function startExample(url: string, settings: MigrationRequest['settings']): string {
  return [
    `curl ${quoted(`${url}/v2/migrations`)} \\`,
    `  --oauth2-bearer "$STOREFERRY_TOKEN" \\`,
    `  --json ${quoted(JSON.stringify(settings))}`,
  ].join('\n')
}
