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
const readJson = async (path: string) => JSON.parse(await readFile(resolve(root, path), 'utf8'))

interface LockFile {
  packages: Record<string, { version: string; dev?: boolean }>
}

interface Bill {
  metadata: { component: { name: string; 'bom-ref': string } }
  components: { 'bom-ref': string; name: string; version: string }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

const { name, version } = await readJson('package.json')
const file = resolve(process.argv[2] ?? `storeferry-${version}.cdx.json`)
const bill = withoutDevelopment(await billOfEverything(), await readJson('package-lock.json'))
await writeFile(file, `${JSON.stringify(bill, null, 2)}\n`)
process.stdout.write(`${bill.components.length} packages in ${file}\n`)

async function billOfEverything(): Promise<Bill> {
  // Without peers, since some packages for development ask for an older React than the portal's, which npm refuses to list.
  const what = ['--sbom-type', 'application', '--package-lock-only', '--legacy-peer-deps']
  const options = ['--sbom-format', 'cyclonedx', ...what]
  const { stdout } = await promisify(execFile)('npm', ['sbom', ...options], { cwd: root, maxBuffer: 64 * 1024 * 1024 })
  const bill: Bill = JSON.parse(stdout)
  // npm names it after the folder.
  bill.metadata.component.name = name
  return bill
}

/** With `--omit dev`, npm 11 also leaves out what a package for development needs as well, such as jose. */
function withoutDevelopment(bill: Bill, { packages }: LockFile): Bill {
  const shipped = new Set(
    Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(([path, entry]) => `${path.split('node_modules/').at(-1)}@${entry.version}`),
  )
  const components = bill.components.filter((one) => shipped.has(`${one.name}@${one.version}`))
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((one) => one['bom-ref'])])
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((needed) => refs.has(needed)) }))
  return { ...bill, components, dependencies }
}
