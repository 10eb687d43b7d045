interface Package {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface LockFile {
  /** By path in the tree: `''` is ourselves, `node_modules/a/node_modules/b` is the b that only a sees. */
  packages: Record<string, Package & { version?: string; resolved?: string; integrity?: string; link?: boolean }>
}

/**
 * What would make `npm ci` install something else, somewhere else, or nothing; one sentence per fault.
 *
 * An optional dependency without an entry is the one npm itself forgives when writing and refuses when installing.
 */
export function lockFaults(manifest: Package, { packages }: LockFile): string[] {
  const dependencies = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  return [
    ...Object.entries(dependencies).flatMap(([name, range]) => pinFaults(name, range, packages)),
    ...Object.entries(packages).flatMap(([path, entry]) => entryFaults(path, entry, packages)),
  ]
}

function pinFaults(name: string, requested: string, packages: LockFile['packages']): string[] {
  // Of a package with two versions, one has an alias.
  const range = requested.replace(/^npm:(@[\w.-]+\/)?[\w.-]+@/, '')
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) return [`${name} is requested as "${range}"; pin one exact version.`]
  const locked = packages[`node_modules/${name}`]?.version
  return locked === range ? [] : [`${name} is pinned to ${range}, but the lock file has ${locked ?? 'no entry'}.`]
}

function entryFaults(path: string, entry: LockFile['packages'][string], packages: LockFile['packages']): string[] {
  const faults = Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(path, name, packages))
    .map((name) => `${path || 'The package itself'} names the optional ${name}, which has no entry in the lock file.`)
  if (path !== '' && !entry.link && !entry.integrity) faults.push(`${path} has no integrity.`)
  if (entry.resolved && !entry.link) faults.push(`${path} records a download address.`)
  return faults
}

/** Looks where Node would: in the package's own folder, then outwards. */
function isLocked(path: string, name: string, packages: LockFile['packages']): boolean {
  const own = `${path ? `${path}/` : ''}node_modules/${name}`
  if (own in packages) return true
  if (path === '') return false
  return isLocked(path.slice(0, path.lastIndexOf('node_modules/')).replace(/\/$/, ''), name, packages)
}
