import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LONGEST_INSTALLATION_MS = 120_000

/**
 * Installs a package of somebody else into a new folder, so that it is no dependency of ours.
 *
 * @returns the folder; undefined where that is not possible, as without a network or the program
 */
export function installInto(command: string, argumentsFor: (folder: string) => string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-client-'))
  const { status } = spawnSync(command, argumentsFor(folder), { stdio: 'ignore', timeout: LONGEST_INSTALLATION_MS })
  if (status === 0) return folder
  rmSync(folder, { recursive: true, force: true })
  return undefined
}
