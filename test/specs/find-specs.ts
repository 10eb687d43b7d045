import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchedSpecs, manifest } from './manifest.ts'

/**
 * The folder with the published files, or undefined where there is none.
 *
 * @throws when the first folder that counts lacks files: a test must not pass because half of them are missing.
 */
export function findSpecs(
  named = process.env.BIGCOMMERCE_SPECS,
  others = [fetchedSpecs, join(fetchedSpecs, '../../shared/bigcommerce-specs')],
): string | undefined {
  const folder = named ? resolve(named) : others.find((one) => existsSync(one))
  if (folder === undefined) return undefined
  const remedy = named ? 'Name a folder that has it in BIGCOMMERCE_SPECS, or unset that' : 'Run `npm run specs`'
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}. ${remedy}.`)
  const missing = manifest.files.find(({ path }) => !existsSync(join(folder, path)))
  if (missing) throw new Error(`${folder} has no ${missing.path}. ${remedy}.`)
  return folder
}
