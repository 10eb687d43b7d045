import { randomInt } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seededRandom } from '../../sandbox/store/random.ts'
import { type PlantedFault, plantedFaults } from './faults.ts'
import { plant } from './plant.ts'
import { copyProject } from './project-copy.ts'
import { runSuite, type SuiteEnd } from './run-suite.ts'

/**
 * `npm run test:planted [-- N] [--seed S] [--only NAME] [--without-clean-run]`: plants one fault of the list after another in a copy of
 * the project and runs the test files there that should notice it, until the first failure. Where they stay green, all of `npm test`
 * runs. N faults, chosen by the seed; without N all. Ends with 1 when the suite stays green for any of them, or when it is red before
 * anything is planted.
 */
const root = fileURLToPath(new URL('../..', import.meta.url))
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    only: { type: 'string', multiple: true },
    'without-clean-run': { type: 'boolean', default: false },
  },
})

/** Without a file to narrow it, `npm test` runs everything. */
const wholeSuite: readonly string[] = []

const chosen = chooseFaults()
const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort())

const copy = await copyProject(root)
try {
  // It would notice every fault, by its text.
  await rm(join(copy.root, 'test/planted/faults.test.ts'))
  const ends: { fault: PlantedFault; end: SuiteEnd }[] = []
  await runClean([...new Set(chosen.flatMap(({ noticedBy }) => noticedBy))])
  for (const fault of chosen) ends.push({ fault, end: await runWith(fault, fault.noticedBy) })
  const left = ends.filter(({ end }) => end.green)
  if (left.length > 0) await runClean(wholeSuite)
  for (const one of left) one.end = await runWith(one.fault, wholeSuite)
  console.table(
    ends.map(({ fault, end }) => ({
      fault: fault.name,
      suite: end.green ? 'GREEN' : 'red',
      seconds: end.seconds,
      'caught by': end.caughtBy,
    })),
  )
  const missed = ends.filter(({ end }) => end.green)
  for (const { fault } of missed) console.log(`not noticed: ${fault.name}. ${fault.breaks}`)
  console.log(`${ends.length - missed.length} of ${ends.length} planted faults were noticed`)
  if (missed.length > 0) process.exitCode = 1
} catch (error) {
  if (!stopping.signal.aborted) throw error
  console.log('Stopped; the copy is removed.')
  process.exitCode = 130
} finally {
  await copy.remove()
}

/** Files that fail by themselves would fail for every fault. */
async function runClean(files: readonly string[]): Promise<void> {
  if (values['without-clean-run']) return
  const { green, caughtBy, seconds } = await runSuite(copy.root, files, stopping.signal)
  if (!green) throw new Error(`The suite is red before anything is planted: ${caughtBy}`)
  console.log(`green  ${seconds} s  nothing planted, ${files.length > 0 ? `${files.length} files` : 'the whole suite'}`)
}

async function runWith(fault: PlantedFault, files: readonly string[]): Promise<SuiteEnd> {
  const file = join(copy.root, fault.file)
  const text = await readFile(file, 'utf8')
  await writeFile(file, plant(text, fault))
  try {
    const end = await runSuite(copy.root, files, stopping.signal)
    const what = end.green ? `not noticed by ${files.join(', ') || 'the whole suite'}` : end.caughtBy
    console.log(`${end.green ? 'GREEN' : 'red  '}  ${end.seconds} s  ${fault.name}: ${what}`)
    return end
  } finally {
    await writeFile(file, text)
  }
}

function chooseFaults(): readonly PlantedFault[] {
  const named = values.only?.map((name) => {
    const fault = plantedFaults.find((one) => one.name === name)
    if (!fault) throw new Error(`There is no planted fault "${name}"; test/planted/faults.ts lists them.`)
    return fault
  })
  const from = named ?? plantedFaults
  const [count] = positionals
  if (count === undefined) return from
  if (!/^[1-9]\d*$/.test(count)) throw new Error(`"${count}" is no number of faults.`)
  const seed = Number(values.seed ?? randomInt(1_000_000))
  if (!Number.isSafeInteger(seed)) throw new Error(`"${values.seed}" is no seed; give a whole number.`)
  console.log(`--seed ${seed} chooses the same again`)
  const random = seededRandom(seed)
  return from
    .map((fault) => ({ fault, order: random() }))
    .sort((one, other) => one.order - other.order)
    .slice(0, Number(count))
    .map(({ fault }) => fault)
}
