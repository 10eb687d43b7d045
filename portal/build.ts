import { copyFile, cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'vite'
import { portalDigest, portalDist } from '../src/api/portal-build.ts'

/**
 * `npm run build:portal`: builds the application, its fonts and compressed copies into `portal/dist`. Prints what a
 * browser loads, and fails if that exceeds a budget.
 */
const modules = new URL('../node_modules/', import.meta.url)
const fonts = import.meta.resolve('@fontsource-variable/source-sans-3/files/source-sans-3-latin-wght-normal.woff2')

/** In KiB, compressed with gzip. */
const budgets = { serverPage: 40, libraries: 110, firstList: 180, screen: 35 }
const firstList = 'screens/migrations.tsx'
/** What a page rendered by the server, such as the sign-in, loads besides the font. */
const serverFiles = ['tokens.css', '../src/api/pages/files/pages.css', '../src/api/pages/files/one-time-link.js']

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  isEntry?: boolean
  isDynamicEntry?: boolean
}
type Manifest = Record<string, Chunk>

const out = fileURLToPath(new URL(`.cache/storeferry/portal-${process.pid}/`, modules))
// Vite keeps a value that the caller has set, such as a test, and would then use React's development build.
process.env.NODE_ENV = 'production'
try {
  const digest = await portalDigest()
  await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
    build: { outDir: out, emptyOutDir: true },
  })
  await mkdir(join(out, 'fonts'), { recursive: true })
  for (const subset of ['latin', 'latin-ext'])
    await copyFile(new URL(`source-sans-3-${subset}-wght-normal.woff2`, fonts), join(out, 'fonts', `${subset}.woff2`))
  await compress(join(out, 'assets'))
  const overruns = await checkBudgets(JSON.parse(await readFile(join(out, '.vite', 'manifest.json'), 'utf8')))
  if (overruns.length > 0) throw new Error(`Over budget: ${overruns.join('; ')}.`)
  await writeFile(join(out, 'build.json'), JSON.stringify({ digest }))
  await replaceDist()
} finally {
  await rm(out, { recursive: true, force: true })
}

async function compress(directory: string): Promise<void> {
  for (const name of (await readdir(directory)).filter((file) => /\.(js|css)$/.test(file))) {
    const content = await readFile(join(directory, name))
    await writeFile(join(directory, `${name}.br`), brotliCompressSync(content))
    await writeFile(join(directory, `${name}.gz`), gzipSync(content))
  }
}

async function checkBudgets(manifest: Manifest): Promise<string[]> {
  const keys = Object.keys(manifest)
  const entry = keys.find((key) => manifest[key]?.isEntry) ?? ''
  const list = [...new Set([...filesOf(manifest, entry), ...filesOf(manifest, firstList)])]
  const screens = keys.filter((key) => key.startsWith('screens/') && manifest[key]?.isDynamicEntry)
  const rows = [
    { name: 'libraries', limit: budgets.libraries, files: list.filter((file) => file.includes('/libraries-')) },
    { name: 'first load of the list of migrations', limit: budgets.firstList, files: list },
    ...screens.map((key) => ({
      name: key,
      limit: budgets.screen,
      files: filesOf(manifest, key).filter((file) => !list.includes(file)),
    })),
  ]
  const ofScreens = await Promise.all(rows.map(async (row) => ({ ...row, size: await kibibytes(row.files) })))
  const sized = [{ name: 'a page of the server', limit: budgets.serverPage, size: await serverPage() }, ...ofScreens]
  for (const { name, limit, size } of sized)
    process.stdout.write(`${size.toFixed(1).padStart(7)} KiB of ${limit}  ${name}\n`)
  return sized.filter(({ size, limit }) => size > limit).map(({ name, size }) => `${name} is ${size.toFixed(1)} KiB`)
}

/** The files of a chunk, and of everything it loads. */
function filesOf(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key]
  if (!chunk || seen.has(key)) return []
  seen.add(key)
  const imported = (chunk.imports ?? []).flatMap((each) => filesOf(manifest, each, seen))
  return [...new Set([chunk.file, ...(chunk.css ?? []), ...imported])]
}

async function kibibytes(files: string[]): Promise<number> {
  const sizes = await Promise.all(files.map(async (file) => (await readFile(join(out, `${file}.gz`))).length))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/** The size of a page without its own markup, which is one or two KiB. */
async function serverPage(): Promise<number> {
  const contents = await Promise.all(serverFiles.map((file) => readFile(new URL(file, import.meta.url))))
  const font = await readFile(join(out, 'fonts', 'latin.woff2'))
  return contents.reduce((sum, content) => sum + gzipSync(content).length, font.length) / 1024
}

/**
 * Renames the folder, so that a running server never sees half a build. Packages may lie on another disk, so it is
 * copied first.
 */
async function replaceDist(): Promise<void> {
  const dist = fileURLToPath(portalDist).replace(/[\\/]$/, '')
  const [next, old] = [`${dist}.${process.pid}.new`, `${dist}.${process.pid}.old`]
  try {
    await cp(out, next, { recursive: true })
    await rename(dist, old).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rename(next, dist)
  } finally {
    for (const left of [next, old]) await rm(left, { recursive: true, force: true })
  }
}
