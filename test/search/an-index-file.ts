import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Where a SQLite index of this test can be. Its folder goes when what the test opens in it is closed. */
export function anIndexFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'storeferry-search-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'search.sqlite')
}
