import { readdir } from 'node:fs/promises'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * `npm run bench [-- NAME ...]`: runs `bench/<name>.ts`; without a name the default set, which leaves out those that
 * take many minutes. Figures are printed as a table and as one line of JSON; only ratios within one run are judged, and
 * a broken bound gives exit code 1.
 */
const NOT_BY_DEFAULT = ['calls', 'history', 'many-runs', 'million', 'quota', 'sandbox-million', 'statements', 'stock']

export interface Ratio {
  name: string
  ratio: number
  /** `atLeast` for what should be large, `atMost` for what should be small. */
  bound: { atLeast: number } | { atMost: number }
}

export interface BenchResult {
  /** Printed as a table. */
  rows: Record<string, string | number>[]
  ratios: Ratio[]
}

// As the program `storeferry` does: processes of runs start in half the time.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/storeferry/bench', import.meta.url))
enableCompileCache(process.env.NODE_COMPILE_CACHE)

const files = await readdir(new URL('.', import.meta.url))
const known = files.flatMap((file) => (file.endsWith('.ts') && file !== 'run.ts' ? [file.slice(0, -'.ts'.length)] : []))
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !known.includes(name))
if (unknown !== undefined) throw new Error(`There is no bench ${unknown}; give one of ${known.join(', ')}`)
const lines: string[] = []
for (const name of asked.length > 0 ? asked : known.filter((one) => !NOT_BY_DEFAULT.includes(one))) {
  const { bench } = (await import(`./${name}.ts`)) as { bench: () => Promise<BenchResult> }
  const { rows, ratios } = await bench()
  console.table(rows)
  console.log(JSON.stringify({ bench: name, rows, ratios }))
  lines.push(...ratios.map((ratio) => lineOf(name, ratio)))
}
console.log(lines.join('\n'))

function lineOf(benchName: string, { name, ratio, bound }: Ratio): string {
  const [holds, words] =
    'atLeast' in bound
      ? [ratio >= bound.atLeast, `at least ${bound.atLeast}`]
      : [ratio <= bound.atMost, `at most ${bound.atMost}`]
  if (!holds) process.exitCode = 1
  return `${holds ? 'ok    ' : 'BROKEN'} ${benchName}: ${name}: ratio ${ratio.toFixed(2)}, ${words}`
}
