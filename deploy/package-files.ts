import { execFile } from 'node:child_process'
import { copyFile, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What the program reads at run time beside its code, from the same place relative to it. */
const besideCode = [
  'openapi.json',
  'docs/{issues,errors}.md',
  'portal/{tokens.css,mark.svg}',
  'portal/dist/*.{html,json}',
  'portal/dist/{assets,fonts}/*',
  'src/**/*.{sql,css,js}',
]

/**
 * Writes the program as JavaScript, with the files it reads beside it: Node strips no types below `node_modules`. The tree is laid out
 * as in a checkout, so that code finds the files by the same relative paths. An earlier build is replaced.
 *
 * @returns the number of files beside the code
 */
export async function buildPackage(directory: string): Promise<number> {
  await rm(directory, { recursive: true, force: true })
  const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
  const project = join(root, 'deploy/tsconfig.json')
  await promisify(execFile)(process.execPath, [compiler, '--project', project, '--outDir', directory])
  const files: string[] = []
  for await (const path of glob(besideCode, { cwd: root })) files.push(path)
  for (const path of files) {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await copyFile(join(root, path), join(directory, path))
  }
  // `main.ts` reads the version here, and Node takes the files for modules.
  const { name, version, type } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(directory, 'package.json'), `${JSON.stringify({ name, version, type, private: true })}\n`)
  return files.length + 1
}
