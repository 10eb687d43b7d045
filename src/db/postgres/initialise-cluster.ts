import { randomBytes } from 'node:crypto'
import { chown, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Cluster, lastLogLines, launch, user } from './cluster.ts'
import { isRoot, ownDirectory } from './postgres-files.ts'

/**
 * Creates the cluster under another name and renames it last, so that an interrupted first start leaves nothing that
 * looks like data. Each attempt has its own directory, because the initdb of a killed process may still be writing.
 */
export async function initialiseCluster(cluster: Cluster): Promise<void> {
  const unfinished = `${cluster.directory}.unfinished-${randomBytes(6).toString('hex')}`
  const passwordFile = join(cluster.home, 'password.initdb')
  await removeInterrupted(cluster.home)
  await ownDirectory(unfinished, cluster.account)
  try {
    await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600, flag: 'wx' })
    if (isRoot()) await chown(passwordFile, cluster.account.uid, cluster.account.gid)
    await runInitdb(cluster, unfinished, passwordFile)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rename(unfinished, cluster.directory)
  cluster.log.info({ directory: cluster.directory }, 'PostgreSQL has a new data directory')
}

async function removeInterrupted(home: string): Promise<void> {
  const left = (await readdir(home)).filter(
    (name) => name.startsWith('cluster.unfinished') || name === 'password.initdb',
  )
  // With retries, because an initdb may still be adding files.
  for (const name of left) await rm(join(home, name), { recursive: true, force: true, maxRetries: 10 })
}

async function runInitdb(cluster: Cluster, directory: string, passwordFile: string): Promise<void> {
  const initdb = launch(cluster, cluster.binaries.initdb, [
    ...['--pgdata', directory, '--username', user, '--pwfile', passwordFile],
    ...['--auth', 'scram-sha-256', '--encoding', 'UTF8', '--data-checksums'],
    // The same sort order and case rules on every machine.
    ...['--locale', 'C', '--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8'],
  ])
  const code = await new Promise((done, fail) => initdb.once('error', fail).once('exit', done))
  if (code !== 0) throw new Error(`PostgreSQL could not create its data directory. ${lastLogLines(cluster)}`)
}
