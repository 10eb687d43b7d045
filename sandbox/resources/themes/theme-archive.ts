import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { ENTITY_TYPES, type EntityType } from './theme-files.ts'

type Settings = Record<string, unknown>

/** A variation of a theme, as in its config.json. */
export interface ArchivedVariation {
  id: string
  name: string
  description: string
  settings: Settings
}

/** What the platform reads from an archive. */
export interface ArchivedTheme {
  name: string
  version: string
  settings: Settings
  variations: ArchivedVariation[]
  /** Files for single items: type and name of each. */
  files: [EntityType, string][]
}

export interface ArchiveError {
  error: string
  message: string
}

/** Source: Stencil themes, "config.json", for the number of variations and the length of a name. */
const MOST_VARIATIONS = 4
const LONGEST_NAME = 64
const LARGEST_CONFIG_BYTES = 1024 * 1024

const CUSTOM = new RegExp(`^templates/pages/custom/(${ENTITY_TYPES.join('|')})/([^/]+\\.html)$`)

/** Creates a zip as merchants get it, with config.json and templates. */
export function archiveOf({ name, version, settings, variations, files }: ArchivedTheme): Buffer {
  const config = {
    name,
    version,
    settings,
    variations: variations.map(({ id, name: called, description, settings: own }) => {
      return { id, name: called, meta: { description }, settings: own }
    }),
  }
  const entries: Zippable = { 'config.json': jsonBytes(config) }
  entries['templates/pages/home.html'] = strToU8('<h1>{{settings.store_name}}</h1>\n')
  for (const [type, file] of files)
    entries[`templates/pages/custom/${type}/${file}`] = strToU8(`<h1>{{${type}.name}}</h1>\n`)
  return zipped(entries)
}

/** The same archive, with other settings for one variation. */
export function withSettings(archive: Uint8Array, variationId: string, settings: Settings): Buffer {
  const entries = unzipSync(archive)
  const config = JSON.parse(strFromU8(entries['config.json'] ?? new Uint8Array()))
  for (const variation of config.variations)
    if (variation.id === variationId) variation.settings = { ...variation.settings, ...settings }
  return zipped({ ...entries, 'config.json': jsonBytes(config) })
}

/** Reads the archive of a theme, or says why it is invalid. */
export function readArchive(bytes: Uint8Array): ArchivedTheme | { errors: ArchiveError[] } {
  const names: string[] = []
  let config: Uint8Array | undefined
  try {
    // Unpacks only this file, and only up to a plausible size.
    const requested = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name)
        return name === 'config.json' && originalSize <= LARGEST_CONFIG_BYTES
      },
    })
    config = requested['config.json']
  } catch {
    return refused('invalid_archive', 'The file is not a zip archive.')
  }
  if (!config) return refused('missing_config', 'The archive has no config.json.')
  if (!names.some((name) => /^templates\/pages\/.+\.html$/.test(name)))
    return refused('missing_templates', 'The archive has no templates of pages.')
  return readConfig(strFromU8(config), names)
}

function readConfig(text: string, names: string[]): ArchivedTheme | { errors: ArchiveError[] } {
  const config = parsed(text)
  if (!isObject(config)) return refused('invalid_config', 'config.json is not a JSON object.')
  const { name, version, settings = {}, variations } = config
  const errors: string[] = []
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME)
    errors.push(`config.json: name must be a text of 1 to ${LONGEST_NAME} characters.`)
  if (typeof version !== 'string' || version === '') errors.push('config.json: version must be a text.')
  if (!isObject(settings)) errors.push('config.json: settings must be an object.')
  const read = readVariations(variations)
  if (typeof read === 'string') errors.push(`config.json: ${read}`)
  if (errors.length > 0) return { errors: errors.map((message) => ({ error: 'invalid_config', message })) }
  return {
    // Checked above.
    ...({ name, version, settings, variations: read } as Omit<ArchivedTheme, 'files'>),
    files: names.flatMap((path): [EntityType, string][] => {
      const [, type, file] = CUSTOM.exec(path) ?? []
      return type === undefined || file === undefined ? [] : [[type as EntityType, file]]
    }),
  }
}

/** @returns a string that describes the error, if there is one */
function readVariations(given: unknown): ArchivedVariation[] | string {
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST_VARIATIONS)
    return `variations must be an array of 1 to ${MOST_VARIATIONS}.`
  const read = given.map((one): ArchivedVariation | undefined => {
    if (!isObject(one) || typeof one.id !== 'string' || typeof one.name !== 'string' || one.name === '')
      return undefined
    const { description } = isObject(one.meta) ? one.meta : {}
    const settings = isObject(one.settings) ? one.settings : {}
    return { id: one.id, name: one.name, description: String(description ?? ''), settings }
  })
  if (read.includes(undefined)) return 'every variation must have an id and a name.'
  const all = read as ArchivedVariation[]
  return new Set(all.map(({ name }) => name)).size < all.length ? 'two variations have the same name.' : all
}

function refused(error: string, message: string) {
  return { errors: [{ error, message }] }
}

function isObject(value: unknown): value is Settings {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function jsonBytes(value: unknown): Uint8Array {
  return strToU8(`${JSON.stringify(value, null, 2)}\n`)
}

/** A fixed time, because with real times two archives of the same theme would differ. */
function zipped(entries: Zippable): Buffer {
  return Buffer.from(zipSync(entries, { mtime: '2024-02-29T12:00:00Z' }))
}
