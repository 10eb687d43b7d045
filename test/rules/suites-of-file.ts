import { suites as runnable } from '../suites.ts'
import type { NumberedTitle } from './numbered-titles.ts'

/** `default` is `npm test`. `bench` measures instead of testing. */
export type Suite = 'default' | 'engine' | 'kills' | 'faults' | 'entities' | 'whole-store' | 'bench'

export const suites: readonly Suite[] = ['default', 'engine', 'kills', 'faults', 'entities', 'whole-store', 'bench']

/** The suites that run the tests of a file. Stories that several test files share belong to the long suite of their folder. */
export function suitesOfFile(file: string): Suite[] {
  if (file.startsWith('bench/')) return ['bench']
  const runsByDefault = file.endsWith('.test.ts') && !file.endsWith('.long.test.ts')
  const long = Object.entries(runnable).filter(([, { folders = [] }]) =>
    folders.some((folder) => file.startsWith(`test/${folder}/`)),
  )
  return [...(runsByDefault ? (['default'] as const) : []), ...long.map(([suite]) => suite as Suite)]
}

/** The suites that run a test with a number, which may exist in the long form only. */
export function suitesOfTitle({ file, longOnly }: NumberedTitle): Suite[] {
  return suitesOfFile(file).filter((suite) => !longOnly || suite !== 'default')
}
