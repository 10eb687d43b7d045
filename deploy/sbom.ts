import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/**
 * `npm run sbom [-- FILE]`: a software bill of materials in the format CycloneDX, of what an installation of the package brings along on
 * any platform, with the hash of each package. It is read from the lock file, so it needs no installation and no network.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const { version } = JSON.parse(await readFile(resolve(root, 'package.json'), 'utf8'))
const file = resolve(process.argv[2] ?? `storeferry-${version}.cdx.json`)
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only', '--omit', 'dev']
const { stdout } = await promisify(execFile)('npm', ['sbom', ...options], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
await writeFile(file, stdout)
process.stdout.write(`${JSON.parse(stdout).components.length} packages in ${file}\n`)
