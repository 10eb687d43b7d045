import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, realpath, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export interface ProjectCopy {
  /** Of the copy. */
  root: string
  remove(): Promise<void>
}

/** The project as it lies at `root`, changes that are not committed included, in a temporary folder. */
export async function copyProject(root: string): Promise<ProjectCopy> {
  const house = await mkdtemp(join(await realpath(tmpdir()), 'storeferry-planted-'))
  const remove = () => rm(house, { recursive: true, force: true, maxRetries: 5 })
  try {
    // Tests start programs of the project as other users, too.
    await chmod(house, 0o755)
    const copy = join(house, 'checkout')
    await copyFiles(root, copy)
    await linkPackages(join(root, 'node_modules'), join(copy, 'node_modules'))
    await linkShared(root, house)
    return { root: copy, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function copyFiles(root: string, copy: string): Promise<void> {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate']
  const { stdout } = await promisify(execFile)('git', listed, { cwd: root, maxBuffer: 16 * 1024 * 1024 })
  for (const file of stdout.split('\0').filter((one) => one !== '')) {
    if (!(await exists(join(root, file)))) continue
    await mkdir(dirname(join(copy, file)), { recursive: true })
    await cp(join(root, file), join(copy, file))
  }
}

/** Each by itself: what tools keep beside the packages, such as caches, belongs to the copy alone. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to)
  const names = (await readdir(from)).filter((name) => !name.startsWith('.') || name === '.bin')
  for (const name of names) await symlink(join(from, name), join(to, name))
}

/** The published specifications, where they lie beside the project. */
async function linkShared(root: string, house: string): Promise<void> {
  const shared = join(root, '..', 'shared')
  if (await exists(shared)) await symlink(await realpath(shared), join(house, 'shared'))
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
}
