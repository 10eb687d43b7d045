import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

const configuration = fileURLToPath(new URL('../../.dependency-cruiser.cjs', import.meta.url))

export interface Breach {
  rule: string
  /** Paths relative to the tree; `to` is a package's name when it could not be resolved. */
  from: string
  to: string
}

/**
 * Cruises `src`, `cli`, `sandbox`, `portal` and `test` of a tree with the rules of `.dependency-cruiser.cjs`.
 *
 * @throws when nothing of the product was cruised: the cruiser finds no modules, without a word, when it cannot work with the
 * installed TypeScript, and an empty list of breaches would then mean nothing.
 */
export async function findBreaches(tree: string): Promise<{ modules: number; breaches: Breach[] }> {
  const folders = ['src', 'cli', 'sandbox', 'portal', 'test'].filter((folder) => existsSync(`${tree}/${folder}`))
  const options = await extractDepcruiseOptions(configuration)
  const { output } = await cruise(folders, { ...options, baseDir: tree })
  if (typeof output === 'string') throw new Error('dependency-cruiser answered text instead of a result.')
  const modules = output.modules.filter(({ source }) => /^(src|cli|sandbox|portal)\//.test(source)).length
  if (modules === 0) throw new Error('0 modules cruised: the check would pass without having looked at anything.')
  const breaches = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { modules, breaches }
}
