/** What package-lock.json says of the packages. */
export interface LockFile {
  packages: Record<
    string,
    {
      version?: string
      dev?: boolean
      optional?: boolean
      license?: string
      dependencies?: Record<string, string>
      optionalDependencies?: Record<string, string>
    }
  >
}

export interface Shipped {
  /** In the lock file. */
  path: string
  /** An SPDX expression. */
  licence: string
}

/** They ask for their text to be kept, which every package does for itself. */
const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0'],
  ...['PostgreSQL', 'Python-2.0', 'Unlicense', 'Zlib'],
])
/** Of icons and fonts, which the built portal shows without their packages. */
const withCredit = new Set(['CC-BY-3.0', 'CC-BY-4.0', 'OFL-1.1'])

/** Paths in the lock file of packages and of everything that they bring along, on every platform. */
export function shippedBy(lock: LockFile, names: string[]): string[] {
  const found = new Set<string>()
  const waiting = names.map((name) => placeOf(lock, '', name))
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path === '' || found.has(path)) continue
    found.add(path)
    const from = path
    const { dependencies, optionalDependencies } = lock.packages[path] ?? {}
    const brought = Object.keys({ ...dependencies, ...optionalDependencies })
    waiting.push(...brought.map((name) => placeOf(lock, from, name)))
  }
  return [...found]
}

/** Looks where Node would: in the package's own folder, then outwards. An absent one, which only npm's platforms have, is ''. */
function placeOf({ packages }: LockFile, from: string, name: string): string {
  const own = `${from ? `${from}/` : ''}node_modules/${name}`
  if (own in packages) return own
  return from === ''
    ? ''
    : placeOf({ packages }, from.slice(0, from.lastIndexOf('node_modules/')).replace(/\/$/, ''), name)
}

/** One sentence for each package whose licence is not permissive, or asks for credit that NOTICE does not give. */
export function faultsOfLicences(shipped: Shipped[], notice: string): string[] {
  return shipped.flatMap(({ path, licence }) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const says = `${name} has the licence ${licence}`
    if (isAllowed(licence, permissive)) return []
    if (!isAllowed(licence, new Set([...permissive, ...withCredit]))) return [says]
    return isNamed(name, notice) ? [] : [`${says}, and NOTICE does not name it`]
  })
}

/** Expressions of the packages that there are have at most one kind of operator. */
function isAllowed(licence: string, allowed: Set<string>): boolean {
  const [choice, all] = [licence.replaceAll(/[()]/g, '').split(' OR '), licence.replaceAll(/[()]/g, '').split(' AND ')]
  if (choice.length > 1 && all.length > 1) return false
  return all.length > 1 ? all.every((one) => allowed.has(one)) : choice.some((one) => allowed.has(one))
}

/** `source-sans-3` as "Source Sans 3", `big-design-theme` as "BigDesign". */
function isNamed(name: string, notice: string): boolean {
  const bare = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9\n]/g, '')
  const words = name.replace(/^@[^/]+\//, '').split('-')
  return [words, words.slice(0, 2)].some((some) => some.length > 1 && bare(notice).includes(bare(some.join(''))))
}
