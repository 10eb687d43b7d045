import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import type { LockFile } from './licences.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))

interface Component {
  name: string
  version: string
  hashes: { alg: string; content: string }[]
}

test('the bill of materials has every package of the lock file that is not for development, with its hash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-sbom-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'bill.json')
  await promisify(execFile)(process.execPath, ['deploy/sbom.ts', file], { cwd: project, timeout: 120_000 })
  const bill = JSON.parse(await readFile(file, 'utf8'))
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'storeferry' } } })
  const lock: LockFile = JSON.parse(await readFile(join(project, 'package-lock.json'), 'utf8'))
  const expected = Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}`)
  const components: Component[] = bill.components
  expect(new Set(components.map(({ name, version }) => `${name}@${version}`))).toEqual(new Set(expected))
  expect(components.filter(({ hashes }) => !hashes?.some(({ alg }) => alg === 'SHA-512'))).toEqual([])
})
