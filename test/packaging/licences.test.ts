import { glob, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { faultsOfLicences, type LockFile, type Shipped, shippedBy } from './licences.ts'

const root = new URL('../../', import.meta.url)
const readJson = async (path: string) => JSON.parse(await readFile(new URL(path, root), 'utf8'))
const lock: LockFile = await readJson('package-lock.json')
const notice = await readFile(new URL('NOTICE', root), 'utf8')

/** Packages that the portal imports, and so the built portal has in it. */
async function importedByPortal(): Promise<string[]> {
  const names = new Set<string>(['@fontsource-variable/source-sans-3'])
  for await (const path of glob('portal/**/*.{ts,tsx}', { cwd: root })) {
    if (/^portal\/(dist|build\.ts|vite)|\.test\./.test(path)) continue
    for (const [, name = ''] of (await readFile(new URL(path, root), 'utf8')).matchAll(
      / from '((?:@[\w-]+\/)?[a-z][\w.-]*)/g,
    ))
      names.add(name)
  }
  return [...names]
}

/** What the package says of itself; for a platform that is not this one, what the lock file says of it. */
async function licenceOf(path: string): Promise<string> {
  const own = await readJson(`${path}/package.json`).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || !lock.packages[path]?.optional) throw error
    return lock.packages[path]
  })
  return typeof own.license === 'string' ? own.license : 'none'
}

test('every package that comes with the program, or is built into the portal, has a permissive licence', async () => {
  const { dependencies, optionalDependencies } = await readJson('package.json')
  const installed = shippedBy(lock, Object.keys({ ...dependencies, ...optionalDependencies }))
  const paths = new Set([...installed, ...shippedBy(lock, await importedByPortal())])
  expect(paths.size).toBeGreaterThan(200)
  const shipped: Shipped[] = await Promise.all(
    [...paths].map(async (path) => ({ path, licence: await licenceOf(path) })),
  )
  expect(faultsOfLicences(shipped, notice)).toEqual([])
})

test('a package with another licence is named, and so is one without any', () => {
  const shipped = [
    { path: 'node_modules/free', licence: '(GPL-3.0-only OR MIT)' },
    { path: 'node_modules/both', licence: 'MIT AND Apache-2.0' },
    { path: 'node_modules/copyleft', licence: 'GPL-3.0-only' },
    { path: 'node_modules/a/node_modules/partly', licence: '(MIT AND MPL-2.0)' },
    { path: 'node_modules/silent', licence: 'none' },
  ]
  expect(faultsOfLicences(shipped, '')).toEqual([
    'copyleft has the licence GPL-3.0-only',
    'partly has the licence (MIT AND MPL-2.0)',
    'silent has the licence none',
  ])
})

test('a font or an icon whose licence asks for credit is named in NOTICE', () => {
  const shipped = [{ path: 'node_modules/@icons/fine-icons', licence: '(MIT AND CC-BY-3.0)' }]
  expect(faultsOfLicences(shipped, 'Fine Icons by Somebody: CC BY 3.0')).toEqual([])
  expect(faultsOfLicences(shipped, 'Other Icons: CC BY 3.0')).toEqual([
    '@icons/fine-icons has the licence (MIT AND CC-BY-3.0), and NOTICE does not name it',
  ])
})
