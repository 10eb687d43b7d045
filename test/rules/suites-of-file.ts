/** Folders whose tests have a long form of their own; everything else runs with `npm test` only. */
const longSuites = {
  engine: ['test/engine', 'test/comparison', 'test/hosts', 'test/db'],
  kills: ['test/kills'],
  faults: ['test/faults'],
  entities: ['test/entities'],
} as const

/** `default` is `npm test`. `bench` measures instead of testing. */
export type Suite = 'default' | keyof typeof longSuites | 'bench'

export const suites: readonly Suite[] = ['default', 'engine', 'kills', 'faults', 'entities', 'bench']

/** The suites that run the tests of a file. Stories that several test files share belong to the long suite of their folder. */
export function suitesOfFile(file: string): Suite[] {
  if (file.startsWith('bench/')) return ['bench']
  const runsByDefault = file.endsWith('.test.ts') && !file.endsWith('.long.test.ts')
  const long = Object.entries(longSuites).filter(([, folders]) =>
    folders.some((folder) => file.startsWith(`${folder}/`)),
  )
  return [...(runsByDefault ? (['default'] as const) : []), ...long.map(([suite]) => suite as Suite)]
}
