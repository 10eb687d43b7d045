interface Package {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

export interface LockFile {
  /** By place in the tree: `''` is ourselves, `node_modules/a/node_modules/b` is the b that only a sees. */
  packages: Record<string, Package & { version?: string; resolved?: string; integrity?: string; link?: boolean }>
}

/**
 * What would make `npm ci` install something else, somewhere else, or nothing; one sentence per fault.
 *
 * An optional dependency without an entry is the one npm itself forgives when writing and refuses when installing.
 */
export function lockFaults(manifest: Package, { packages }: LockFile): string[] {
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies }
  return [
    ...Object.entries(wanted).flatMap(([name, range]) => pinFaults(name, range, packages)),
    ...Object.entries(packages).flatMap(([place, entry]) => entryFaults(place, entry, packages)),
  ]
}

function pinFaults(name: string, wanted: string, packages: LockFile['packages']): string[] {
  // Of a package that is there in two versions, one has another name.
  const range = wanted.replace(/^npm:(@[\w.-]+\/)?[\w.-]+@/, '')
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) return [`${name} is asked for as "${range}"; pin one exact version.`]
  const locked = packages[`node_modules/${name}`]?.version
  return locked === range ? [] : [`${name} is pinned to ${range}, but the lock file has ${locked ?? 'no entry'}.`]
}

function entryFaults(place: string, entry: LockFile['packages'][string], packages: LockFile['packages']): string[] {
  const faults = Object.keys(entry.optionalDependencies ?? {})
    .filter((name) => !isLocked(place, name, packages))
    .map((name) => `${place || 'The package itself'} names the optional ${name}, which has no entry in the lock file.`)
  if (place !== '' && !entry.link && !entry.integrity) faults.push(`${place} has no integrity.`)
  if (entry.resolved && !entry.link) faults.push(`${place} records a download address.`)
  return faults
}

/** Looks where Node would: in the package's own folder, then outwards. */
function isLocked(place: string, name: string, packages: LockFile['packages']): boolean {
  const own = `${place ? `${place}/` : ''}node_modules/${name}`
  if (own in packages) return true
  if (place === '') return false
  return isLocked(place.slice(0, place.lastIndexOf('node_modules/')).replace(/\/$/, ''), name, packages)
}
