import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { prepareDirectory } from '../../src/prepare-directory.ts'

export interface KeptToken {
  siteUrl: string
  bearerToken: string
  /** ISO 8601. */
  expiresIso: string
  /**
   * The values of the last login, so that the next one only needs the secret. Files of older versions do not have them.
   */
  login?: { username: string; email: string; organization: string; clientId: string }
}

type Environment = Record<string, string | undefined>

/** The owner of a token: a profile or, without a profile, a service. */
export interface TokenOf {
  profile: string | undefined
  siteUrl: string
}

/** One file per profile or service, readable by its user only. @returns its path */
export async function keepToken(environment: Environment, of: TokenOf, token: KeptToken): Promise<string> {
  const path = pathOf(environment, of)
  await prepareDirectory(directoryOf(environment), 'XDG_CONFIG_HOME')
  // Written to a temporary file and renamed: overwriting would keep the wider mode of an existing file.
  const fresh = `${path}.${process.pid}`
  await writeFile(fresh, `${JSON.stringify(token)}\n`, { mode: 0o600 })
  await rename(fresh, path)
  return path
}

/** @returns undefined if there is none */
export function findToken(environment: Environment, of: TokenOf): Promise<KeptToken | undefined> {
  return readKept(pathOf(environment, of))
}

async function readKept(path: string): Promise<KeptToken | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch (cause) {
    throw new Error(`${path} is damaged; remove it and sign in again with "storeferry login".`, { cause })
  }
}

/** @throws when there is no such token, or when it has expired */
export async function readToken(environment: Environment, of: TokenOf, now: Date): Promise<KeptToken> {
  const kept = await findToken(environment, of)
  const where = of.profile === undefined ? of.siteUrl : `profile ${of.profile}`
  const again = of.profile === undefined ? 'storeferry login' : `storeferry login --profile ${of.profile}`
  if (!kept) throw new Error(`Not signed in at ${where}; run "${again}" first.`)
  if (new Date(kept.expiresIso) > now) return kept
  throw new Error(`The sign-in at ${where} expired at ${kept.expiresIso}; run "${again}" again.`)
}

/** @returns false if there was none */
export async function forgetToken(environment: Environment, of: TokenOf): Promise<boolean> {
  const path = pathOf(environment, of)
  return rm(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
      return false
    },
  )
}

/** Every stored sign-in; `profile` is undefined for those of services. */
export async function listTokens(environment: Environment): Promise<(KeptToken & { profile: string | undefined })[]> {
  const directory = directoryOf(environment)
  const names = await readdir(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  const files = names.filter((name) => name.endsWith('.json')).sort()
  const kept = await Promise.all(
    files.map(async (name) => {
      const token = await readKept(join(directory, name))
      return token ? [{ ...token, profile: /^@(.*)\.json$/.exec(name)?.[1] }] : []
    }),
  )
  return kept.flat()
}

/**
 * The host makes the name readable, and the digest makes it unique. No host contains an @, so a profile is never taken
 * for a service.
 */
function pathOf(environment: Environment, { profile, siteUrl }: TokenOf): string {
  if (profile !== undefined) return join(directoryOf(environment), `@${profile}.json`)
  const host = new URL(siteUrl).host.replace(/[^a-zA-Z0-9.-]/g, '_')
  const digest = createHash('sha256').update(siteUrl).digest('hex').slice(0, 8)
  return join(directoryOf(environment), `${host}-${digest}.json`)
}

function directoryOf(environment: Environment): string {
  const config = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), '.config')
  return join(config, 'storeferry', 'tokens')
}
