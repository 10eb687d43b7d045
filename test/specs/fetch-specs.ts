import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Manifest, SpecFile } from './manifest.ts'

/** For one file of at most half a megabyte: what takes longer has stalled. */
const LONGEST_WAIT_MS = 60_000

export const REMEDY =
  'Try again, on another network if need be, or set BIGCOMMERCE_SPECS to a folder that has the files.'

interface Wanted {
  manifest: Manifest
  /** Replaced as a whole or left as it is. */
  folder: string
  /** Serves `<repository>/<commit>/<path>` below it, as raw.githubusercontent.com does. */
  base: string
  longestWaitMs?: number
}

/**
 * Fetches the files of the manifest. A server decides nothing but their content, and nothing is written before all of them
 * have the checksums of the manifest.
 *
 * @returns false when the folder had them already.
 * @throws an error whose message names the file, the host and the remedy.
 */
export async function fetchSpecs({
  manifest,
  folder,
  base,
  longestWaitMs = LONGEST_WAIT_MS,
}: Wanted): Promise<boolean> {
  if (await isComplete(manifest, folder)) return false
  const root = [base.replace(/\/$/, ''), manifest.repository, manifest.commit, manifest.folder].join('/')
  const contents = new Map<string, Buffer>()
  for (const file of manifest.files) {
    const address = new URL(`${root}/${file.path}`)
    try {
      contents.set(file.path, checked(file, await download(address, file.size, longestWaitMs)))
    } catch (error) {
      throw new Error(`${file.path} from ${address.host}: ${reasonOf(error)}. ${REMEDY}`, { cause: error })
    }
  }
  await replaceFolder(folder, contents)
  return true
}

async function isComplete({ files }: Manifest, folder: string): Promise<boolean> {
  for (const { path, sha256 } of files) {
    const content = await readFile(join(folder, path)).catch(() => undefined)
    if (!content || sha256Of(content) !== sha256) return false
  }
  return true
}

/** Stops reading when there is more than was expected, and leaves it to the checksum to refuse that. */
async function download(address: URL, size: number, longestWaitMs: number): Promise<Buffer> {
  // The host that was named serves the files itself; a redirect could lead anywhere.
  const answer = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(longestWaitMs) })
  if (!answer.ok) throw new Error(`the answer is HTTP ${answer.status}`)
  const chunks: Uint8Array[] = []
  let received = 0
  for await (const chunk of answer.body ?? []) {
    chunks.push(chunk)
    received += chunk.length
    if (received > size) break
  }
  return Buffer.concat(chunks)
}

function checked({ size, sha256 }: SpecFile, content: Buffer): Buffer {
  if (content.length < size) throw new Error(`it has ${content.length} bytes instead of ${size}`)
  if (sha256Of(content) !== sha256) throw new Error('its checksum is not that of test/specs/manifest.json')
  return content
}

/** What fetch hides behind "fetch failed" and "terminated". */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error
  if (name === 'TimeoutError') return 'it did not arrive in time'
  if (!(cause instanceof Error)) return message
  return `the connection failed (${cause.message || (cause as NodeJS.ErrnoException).code})`
}

async function replaceFolder(folder: string, contents: Map<string, Buffer>): Promise<void> {
  const parts = await mkdtemp(`${folder}-`)
  try {
    for (const [path, content] of contents) {
      const file = join(parts, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, content)
    }
    await rm(folder, { recursive: true, force: true })
    await rename(parts, folder)
  } catch (error) {
    await rm(parts, { recursive: true, force: true })
    throw error
  }
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
