import { strToU8, type Zippable, zipSync } from 'fflate'

export interface ThemeWish {
  name?: string
  variations?: string[]
  /** Below `templates/pages/custom`, e.g. `brand/wide.html`. */
  files?: string[]
  /** Of the first variation. */
  settings?: Record<string, unknown>
  /** Instead of what these make. */
  config?: unknown
}

/** A theme as a merchant would have it in a file. */
export function themeArchive({
  name = 'Lumen',
  variations = ['Day', 'Night'],
  files = [],
  settings = {},
  config,
}: ThemeWish = {}): Uint8Array<ArrayBuffer> {
  const made = {
    name,
    version: '1.0.0',
    settings: { shows_logo: true },
    variations: variations.map((one, at) => ({
      id: one.toLowerCase(),
      name: one,
      meta: { description: `${name} by ${one.toLowerCase()}` },
      settings: at === 0 ? settings : {},
    })),
  }
  const entries: Zippable = {
    'config.json': strToU8(JSON.stringify(config ?? made)),
    'templates/pages/home.html': strToU8('<h1>{{settings.store_name}}</h1>'),
  }
  for (const file of files) entries[`templates/pages/custom/${file}`] = strToU8('<h1>Custom</h1>')
  return Uint8Array.from(zipSync(entries))
}

/** The form that it is uploaded by. */
export function themeForm(bytes: Uint8Array<ArrayBuffer>, fileName = 'theme.zip'): FormData {
  const form = new FormData()
  form.set('file', new Blob([bytes], { type: 'application/zip' }), fileName)
  return form
}
