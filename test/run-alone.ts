import { randomInt } from 'node:crypto'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest } from 'vitest/node'
import { ownServer } from './harness/postgres.ts'
import { pickAtRandom } from './pick-at-random.ts'
import { root, runVitest } from './run-vitest.ts'
import { sum, totalsLine } from './totals.ts'
import { twoAtATime } from './two-at-a-time.ts'

/**
 * `npm run test:alone -- COUNT [FILTER ...] [--seed N]`: picks tests of the default suite at random and runs each in a vitest
 * of its own, to find those that need what another one left. Ends in `N passed, N failed, N skipped`.
 */
const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } })
const [count, ...filters] = positionals
const seed = Number(values.seed ?? randomInt(1_000_000))
if (!(Number(count) > 0) || !Number.isInteger(seed)) {
  console.error('Say how many tests to pick, for example: npm run test:alone -- 100 --seed 7')
  process.exit(1)
}

const server = process.env.TEST_DATABASE_URL ? undefined : await ownServer()
if (server) process.env.TEST_DATABASE_URL = server.url
try {
  const { tests, broken } = await listTests()
  const picks = pickAtRandom(tests, Number(count), seed)
  console.log(`${picks.length} of ${tests.length} tests, picked with --seed ${seed}`)
  const totals = { passed: 0, failed: broken.length, skipped: 0 }
  for (const { file, reason } of broken) console.log(`FAILED  ${file} does not load: ${reason}`)
  await twoAtATime(picks, async (test) => {
    const startedMs = performance.now()
    const { outcome, output } = await runAlone(test)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
    totals[outcome] += 1
    const word = outcome === 'failed' ? 'FAILED' : outcome
    console.log(`${word.padEnd(7)} ${seconds.padStart(5)} s  ${test.file} > ${test.name}`)
    if (outcome === 'failed') console.log(output.trimEnd())
  })
  console.log(totalsLine(totals))
  process.exitCode = totals.failed === 0 && totals.passed > 0 ? 0 : 1
} finally {
  await server?.stop()
}

interface ATest {
  project: string
  file: string
  name: string
  /** Whether its file skips it. */
  skipped: boolean
}

interface Listed {
  tests: ATest[]
  /** Files that do not load, so that their tests have no names. */
  broken: { file: string; reason: string }[]
}

/** In the order of the files, so that a seed picks the same tests again. The names of its tests are only known after loading a file. */
async function listTests(): Promise<Listed> {
  // No test runs here, so a process may keep what it loaded for one file while it loads the next.
  const vitest = await createVitest({ root, run: true, watch: false, isolate: false, maxWorkers: 2, reporters: [] })
  try {
    const { testModules } = await vitest.collect(filters, { staticParse: false })
    const tests = new Map<string, ATest>()
    const broken: Listed['broken'] = []
    for (const module of testModules.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1))) {
      const [project, file] = [module.project.name, relative(root, module.moduleId)]
      if (!module.ok())
        broken.push({
          file,
          reason: module
            .errors()
            .map(({ message }) => message)
            .join('; '),
        })
      for (const { fullName, options } of module.children.allTests()) {
        tests.set(`${file} > ${fullName}`, { project, file, name: fullName, skipped: options.mode !== 'run' })
      }
    }
    return { tests: [...tests.values()], broken }
  } finally {
    await vitest.close()
  }
}

interface Alone {
  outcome: 'passed' | 'failed' | 'skipped'
  output: string
}

/** A test that its file skips has nothing to show. Any other must run: one whose name is not found again has failed. */
async function runAlone({ project, file, name, skipped }: ATest): Promise<Alone> {
  if (skipped) return { outcome: 'skipped', output: '' }
  const exactly = `^${name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`
  const args = [`--project=${project}`, `--testNamePattern=${exactly}`, '--no-cache', file]
  const { results, failuresOutside, output } = await runVitest(args, { collectOutput: true })
  const { passed, failed } = sum(results)
  if (failed + failuresOutside > 0) return { outcome: 'failed', output }
  return passed > 0
    ? { outcome: 'passed', output }
    : { outcome: 'failed', output: `${output}\nNo test of this name ran.` }
}
