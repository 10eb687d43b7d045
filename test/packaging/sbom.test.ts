import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { type LockFile, shippedBy } from './licences.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const readJson = async (path: string) => JSON.parse(await readFile(join(project, path), 'utf8'))

interface Component {
  name: string
  version: string
  'bom-ref': string
  hashes: { alg: string; content: string }[]
}

test('the bill of materials has every package that an installation brings along on some platform, with its hash, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'bill.json')
  await promisify(execFile)(process.execPath, ['deploy/sbom.ts', file], { cwd: project, timeout: 120_000 })
  const bill = JSON.parse(await readFile(file, 'utf8'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'storeferry' } } })
  const components: Component[] = bill.components
  const { dependencies, optionalDependencies } = await readJson('package.json')
  const lock: LockFile = await readJson('package-lock.json')
  const shipped = shippedBy(lock, Object.keys({ ...dependencies, ...optionalDependencies })).map(
    (path) => `${path.split('node_modules/').at(-1)}@${lock.packages[path]?.version}`,
  )
  const listed = components.map(({ name, version }) => `${name}@${version}`)
  expect([...new Set(listed)].sort()).toEqual([...new Set(shipped)].sort())
  expect(components.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([])
  const refs = new Set(components.map((component) => component['bom-ref']))
  const unknown = (bill.dependencies as { dependsOn: string[] }[]).flatMap(({ dependsOn }) => dependsOn)
  expect(unknown.filter((ref) => !refs.has(ref))).toEqual([])
})
