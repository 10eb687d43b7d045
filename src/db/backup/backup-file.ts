import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** The first line of a backup. */
export interface BackupHeader {
  format: typeof format
  /** Of the Storeferry that wrote it. */
  version: string
  at: string
  /** The schema: every migration that the database has seen. */
  migrations: string[]
  /** The last number of each sequence. */
  sequences: { name: string; value: number }[]
}

/** A change of the lines needs another name. */
export const format = 'storeferry-backup-1'

/** What follows the header: the name of a table, and after it its rows as PostgreSQL writes them. */
export type BackupLine = { table: string } | string

const newline = 0x0a

/**
 * Writes a new file that only its owner can read: compressed lines of JSON, the last of which has the number of rows and a checksum of
 * all lines before. Nothing is left of a file that could not be finished.
 *
 * @returns the number of rows
 */
export async function writeBackupFile(
  path: string,
  header: BackupHeader,
  lines: AsyncIterable<BackupLine>,
  signal: AbortSignal,
): Promise<number> {
  const hash = createHash('sha256')
  let rows = 0
  function encoded(value: unknown): string {
    const line = `${JSON.stringify(value)}\n`
    hash.update(line)
    return line
  }
  async function* text() {
    yield encoded(header)
    for await (const line of lines) {
      if (typeof line === 'string') rows++
      yield encoded(line)
    }
    yield `${JSON.stringify({ rows, sha256: hash.digest('hex') })}\n`
  }
  // Opened before anything can interrupt it: a file that was there before stays.
  const file = await open(path, 'wx', 0o600)
  try {
    await pipeline(Readable.from(text()), createGzip({ level: 1 }), file.createWriteStream({ flush: true }), { signal })
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
  return rows
}

/**
 * Reads a backup line by line. The checksum is checked after the last line: undo what was done with the others when this throws.
 *
 * @throws with one line that says what to do, when the file is not a complete backup
 */
export async function* readBackupFile(path: string): AsyncGenerator<BackupHeader | BackupLine> {
  const hash = createHash('sha256')
  let rows = 0
  let end: { rows: number; sha256: string } | undefined
  for await (const line of linesOf(path)) {
    const value = parsed(path, line)
    if (end) throw damaged(path)
    if (typeof value === 'object' && 'sha256' in value) end = value
    else {
      hash.update(line).update('\n')
      if (typeof value === 'string') rows++
      yield value
    }
  }
  if (end?.rows !== rows || end.sha256 !== hash.digest('hex')) throw damaged(path)
}

function parsed(path: string, line: Buffer): BackupHeader | BackupLine | { rows: number; sha256: string } {
  try {
    return JSON.parse(line.toString())
  } catch (error) {
    throw damaged(path, error)
  }
}

/** Split at newlines only: texts from stores have the other characters that end a line. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let unfinished: Buffer[] = []
  const file = createReadStream(path)
  const text = file.pipe(createGunzip())
  file.on('error', (error) => text.destroy(error))
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      let from = 0
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        yield Buffer.concat([...unfinished, chunk.subarray(from, at)])
        unfinished = []
        from = at + 1
      }
      unfinished.push(chunk.subarray(from))
    }
  } catch (error) {
    // Errors of zlib: the file was cut off, changed, or is no archive.
    if (String((error as NodeJS.ErrnoException).code).startsWith('Z_')) throw damaged(path, error)
    throw error
  } finally {
    file.destroy()
  }
}

export function damaged(path: string, cause?: unknown): Error {
  return new Error(`${path} is damaged or not a backup of Storeferry, and nothing was restored: use another copy.`, {
    cause,
  })
}
