import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFinder } from './words/find-retired.ts'
import { readGlossary } from './words/glossary.ts'

/**
 * `node test/words.ts [--count] [PATH...]`: refuses the words that docs/glossary.md retires, in file names, identifiers, comments,
 * strings and Markdown. Without a path it reads the product and its documents; `--count` prints how many there are by folder.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const glossary = 'docs/glossary.md'
/** Lists old file names, retired words included. */
const movedFiles = ':!docs/moved-files.md'
const everything = ['src', 'cli', 'sandbox', 'portal', 'docs', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']

const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const find = createFinder(readGlossary(readFileSync(join(root, glossary), 'utf8')))
const finds = trackedFiles(paths.length > 0 ? paths : everything).flatMap((path) => find(path, textOf(path)))

if (process.argv.includes('--count')) printCounts()
else
  for (const { path, line, found, instead } of finds) console.log(`${path}:${line}: "${found}" is retired: ${instead}`)
console.log(
  finds.length === 0 ? 'no retired word' : `${finds.length} retired words; ${glossary} says what to write instead`,
)
process.exitCode = finds.length === 0 ? 0 : 1

/** Files that are new count as well, unless they are ignored. */
function trackedFiles(pathspecs: string[]): string[] {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate', '--']
  const listed = execFileSync('git', [...args, ...pathspecs, movedFiles], { cwd: root, encoding: 'utf8' })
  const deleted = execFileSync('git', ['ls-files', '-z', '--deleted'], { cwd: root, encoding: 'utf8' }).split('\0')
  return listed.split('\0').filter((path) => path !== '' && !deleted.includes(path))
}

/** The glossary names the retired words itself, below the first of its two last titles. */
function textOf(path: string): string {
  const text = readFileSync(join(root, path), 'utf8')
  return path === glossary ? text.slice(0, text.indexOf('\n## Retired\n')) : text
}

function printCounts(): void {
  const counts = new Map<string, number>()
  for (const { path } of finds) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  for (const [folder, count] of [...counts].sort()) console.log(`${String(count).padStart(5)}  ${folder}`)
}
