import { mkdir, mkdtemp, rmdir, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** The settings that name directories. */
type Setting = 'STOREFERRY_DATA' | 'STOREFERRY_RECORD' | 'XDG_CONFIG_HOME'

/** @throws Error with one line that names the setting, if the directory cannot be made or used */
export async function prepareDirectory(path: string, setting: Setting): Promise<void> {
  try {
    await makeDirectory(resolve(path))
    await rmdir(await mkdtemp(join(path, '.writable-')))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // A full disk is said by whatever needs the room.
    if (code === 'ENOSPC' || code === 'EDQUOT') return
    const remedy = `set ${setting} to a directory in which this user may create files.`
    throw new Error(`Nothing can be created in ${path} (${code}): ${remedy}`, { cause: error })
  }
}

/** Without Node's recursion, which never ends below /proc: no directory can be made there, although the parent exists. */
async function makeDirectory(path: string): Promise<void> {
  if (await exists(path)) return
  await makeDirectory(dirname(path))
  await mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Another process was faster.
    if (error.code !== 'EEXIST') throw error
  })
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
