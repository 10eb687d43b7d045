import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The platform's published OpenAPI files that the tests read: of which commit, and what each must be. */
export interface Manifest {
  repository: string
  commit: string
  /** Folder of the repository that the paths begin at. */
  folder: string
  files: SpecFile[]
}

export interface SpecFile {
  path: string
  /** In bytes. */
  size: number
  sha256: string
}

export const manifest: Manifest = JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8'))

/** Where `npm run specs` puts the files; git ignores it. */
export const fetchedSpecs = fileURLToPath(new URL('../../.specs', import.meta.url))
