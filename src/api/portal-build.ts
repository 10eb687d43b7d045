import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
/** Where `npm run build:portal` puts the application; git ignores it. */
export const portalDist = new URL('portal/dist/', root)
const buildScript = new URL('portal/build.ts', root)

/** `building` only while this process is building it. */
export interface PortalBuild {
  state: () => 'building' | 'settled'
}

/** The sources of the bundle. It contains no types, so `openapi.json` is not among them. */
const sources = ['portal/**/*.{ts,tsx,css,html,svg}', 'src/contract/**/*.ts', 'package-lock.json']
const notBundled = /\.test\.ts$|\.d\.ts$|^portal\/dist[./]/

/** Changes with every source of the application and every version of its dependencies. */
export async function portalDigest(): Promise<string> {
  const cwd = fileURLToPath(root)
  const files: string[] = []
  for await (const path of glob(sources, { cwd })) files.push(path.replaceAll('\\', '/'))
  const hash = createHash('sha256')
  for (const path of files.filter((path) => !notBundled.test(path)).sort())
    hash.update(`${path}\0`).update(await readFile(new URL(path, root)))
  return hash.digest('hex')
}

/** The digest that the current build was made from; undefined without a build. */
export async function builtDigest(): Promise<string | undefined> {
  const text = await readFile(new URL('build.json', portalDist), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : JSON.parse(text).digest
}

interface Reporter {
  info(message: string): void
  warn(message: string): void
}

/**
 * Builds the portal if its sources changed since the last build. Returns at once: meanwhile the service listens, and
 * `/app` shows a page that reloads itself. A failed build keeps the previous one. A published package has only the
 * built portal.
 */
export function ensurePortal(log: Reporter, signal: AbortSignal): PortalBuild {
  let state: ReturnType<PortalBuild['state']> = 'building'
  const settle = async () => {
    if (!existsSync(buildScript) || (await portalDigest()) === (await builtDigest())) return
    log.info('Building the portal, a few seconds, once.')
    const { failed, output } = await runBuild(signal)
    if (failed && !signal.aborted)
      log.warn(`The portal could not be built: ${output} Run "npm run build:portal" to see why.`)
  }
  settle()
    .catch((error: unknown) => log.warn(`The portal could not be built: ${String(error)}`))
    .finally(() => {
      state = 'settled'
    })
  return { state: () => state }
}

function runBuild(signal: AbortSignal): Promise<{ failed: boolean; output: string }> {
  const child = spawn(process.execPath, [fileURLToPath(buildScript)], { stdio: ['ignore', 'ignore', 'pipe'], signal })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ failed: true, output: String(error) }))
    child.on('close', (code) => resolve({ failed: code !== 0, output: /^\w*Error.*/m.exec(output)?.[0] ?? '' }))
  })
}
