import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, glob, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { buildPackage } from '../../deploy/package-files.ts'
import { isLong } from '../harness/long-form.ts'

const run = promisify(execFile)
const project = fileURLToPath(new URL('../..', import.meta.url))
const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))

/** Below the project, so that what was built finds its packages. */
const built = join(project, 'node_modules/.cache/storeferry', `package-${process.pid}`)
beforeAll(() => buildPackage(built))
afterAll(() => rm(built, { recursive: true, force: true }))

test('the package has what the program runs and reads, and neither sources nor tests', async () => {
  const modules = await filesOf(project, '{src,cli,sandbox}/**/*.ts')
  const code = modules.filter((path) => !path.endsWith('.test.ts')).map((path) => path.replace(/ts$/, 'js'))
  const read = await filesOf(project, 'src/**/*.{sql,css,js}')
  const others = ['docs/errors.md', 'docs/issues.md', 'openapi.json', 'package.json']
  const portal = ['portal/mark.svg', 'portal/tokens.css']
  const files = (await filesOf(built, '**/*.*')).filter((path) => !path.startsWith('portal/dist/'))
  expect(files).toEqual([...code, ...read, ...others, ...portal].sort())
  expect(manifest.files).toEqual(['bin', 'dist', 'CHANGELOG.md', 'NOTICE'])
})

test('a file that code names by its place beside it is in the package', async () => {
  const missing: string[] = []
  for (const path of await filesOf(built, '{src,cli,sandbox}/**/*.js')) {
    const text = await readFile(join(built, path), 'utf8')
    for (const [, name = ''] of text.matchAll(/new URL\('([^']+)', import\.meta\.url\)/g))
      if (!existsSync(new URL(name, pathToFileURL(join(built, path))))) missing.push(`${path}: ${name}`)
  }
  expect(missing).toEqual([])
})

test('what was built answers the command line, with the version of the package', async () => {
  const { programOf } = await import(join(built, 'cli/program.js'))
  const written: string[] = []
  const output = { write: (text: string) => written.push(text) }
  const program = programOf({ output, environment: {}, version: manifest.version }, output)
  expect(() => program.parse(['--version'], { from: 'user' })).toThrow()
  expect(() => program.parse(['--help'], { from: 'user' })).toThrow()
  expect(written.join('')).toMatch(new RegExp(`^${manifest.version}\n[^]*Usage: storeferry`))
})

test('what was built searches issues in a process of its own', async () => {
  const { openSqliteStore } = await import(join(built, 'src/search/sqlite-store.js'))
  const { systemClock } = await import(join(built, 'src/clock.js'))
  const folder = await mkdtemp(join(tmpdir(), 'storeferry-search-'))
  const store = openSqliteStore(join(folder, 'search.sqlite'), systemClock)
  onTestFinished(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  expect(await store.countIssues('none', { text: 'lamp', withoutRuns: [] })).toMatchObject({ total: 0 })
})

const describeLong = isLong ? describe : undefined

describeLong?.('the tarball', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'storeferry-tarball-'))
    await run('npm', ['pack', '--pack-destination', folder, '--silent'], { cwd: project, timeout: 240_000 })
    await unpack(folder)
  }, 300_000)
  afterAll(() => rm(folder, { recursive: true, force: true }))

  test('has at most 2.5 MiB, and the portal as it was built', async () => {
    const tarball = join(folder, `storeferry-${manifest.version}.tgz`)
    expect((await stat(tarball)).size).toBeLessThan(2.5 * 1024 * 1024)
    const { stdout } = await run('tar', ['-tzf', tarball])
    const outside = stdout.split('\n').filter((path) => path && !/^package\/(bin|dist)\//.test(path))
    expect(outside.sort()).toEqual(
      ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'package.json'].map((name) => `package/${name}`),
    )
    expect(stdout).toContain('package/dist/portal/dist/index.html\n')
  })

  test('is the same to the byte, built from another folder', async () => {
    const other = await mkdtemp(join(tmpdir(), 'storeferry-elsewhere-'))
    onTestFinished(() => rm(other, { recursive: true, force: true }))
    const { stdout } = await run('git', ['ls-files', '-z'], { cwd: project, maxBuffer: 16 * 1024 * 1024 })
    for (const path of stdout.split('\0').filter((name) => name !== '' && existsSync(join(project, name)))) {
      await mkdir(dirname(join(other, path)), { recursive: true })
      await copyFile(join(project, path), join(other, path))
    }
    await symlink(join(project, 'node_modules'), join(other, 'node_modules'))
    await run('npm', ['pack', '--silent'], { cwd: other, timeout: 240_000 })
    const digest = async (at: string) =>
      createHash('sha256')
        .update(await readFile(join(at, `storeferry-${manifest.version}.tgz`)))
        .digest('hex')
    expect(await digest(other)).toBe(await digest(folder))
  }, 300_000)

  test('runs in an empty folder with nothing but the packages it declares: version, help and the whole demo', async () => {
    const storeferry = (...args: string[]) =>
      run(process.execPath, [join(folder, 'node_modules/storeferry/bin/storeferry.cjs'), ...args], {
        cwd: folder,
        timeout: 280_000,
      })
    expect((await storeferry('--version')).stdout).toBe(`${manifest.version}\n`)
    expect((await storeferry('--help')).stdout).toContain('Usage: storeferry')
    expect((await storeferry('sandbox', '--seeds')).stdout).toContain('small')
    expect((await storeferry('demo')).stdout).toMatch(/verif/i)
  })
})

/** As npm installs it, but with the packages of the project: a registry is not at hand in every place. */
async function unpack(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules')
  await mkdir(modules)
  await run('tar', ['-xzf', join(folder, `storeferry-${manifest.version}.tgz`), '-C', folder])
  await rename(join(folder, 'package'), join(modules, 'storeferry'))
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    if (!existsSync(join(project, 'node_modules', name))) continue
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(join(project, 'node_modules', name), join(modules, name))
  }
}

async function filesOf(cwd: string, pattern: string): Promise<string[]> {
  const files: string[] = []
  for await (const path of glob(pattern, { cwd })) files.push(path)
  return files.sort()
}
