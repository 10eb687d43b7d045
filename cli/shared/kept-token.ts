import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

export interface KeptToken {
  siteUrl: string
  bearerToken: string
  /** ISO 8601. */
  expiresIso: string
}

type Environment = Record<string, string | undefined>

/** One file per service, readable by its user only. @returns its path. */
export async function keepToken(environment: Environment, token: KeptToken): Promise<string> {
  const path = pathOf(environment, token.siteUrl)
  await mkdir(directoryOf(environment), { recursive: true, mode: 0o700 })
  // Written to a temporary file and renamed: overwriting would keep the wider mode of an existing file.
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(token)}\n`, { mode: 0o600 })
  await rename(fresh, path)
  return path
}

/** @throws when there is no token for this service, or when it has expired. */
export async function readToken(environment: Environment, siteUrl: string, now: Date): Promise<string> {
  const text = await readFile(pathOf(environment, siteUrl), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    throw new Error(`Not signed in at ${siteUrl}; run "storeferry login" first.`)
  })
  const kept: KeptToken = JSON.parse(text)
  if (new Date(kept.expiresIso) > now) return kept.bearerToken
  throw new Error(`The sign-in at ${siteUrl} expired at ${kept.expiresIso}; run "storeferry login" again.`)
}

/** The host makes the name readable, and the digest unique. */
function pathOf(environment: Environment, siteUrl: string): string {
  const host = new URL(siteUrl).host.replace(/[^a-zA-Z0-9.-]/g, '_')
  const digest = createHash('sha256').update(siteUrl).digest('hex').slice(0, 8)
  return join(directoryOf(environment), `${host}-${digest}.json`)
}

function directoryOf(environment: Environment): string {
  const config = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config')
  return join(config, 'storeferry', 'tokens')
}
