import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type LockFile, lockFaults } from './lock-faults.ts'
import { totalsLine } from './totals.ts'
import { twoAtATime } from './two-at-a-time.ts'

/**
 * `npm run check [-- --without-unit]`: what to run before a push. Ends in `N passed, N failed, N skipped`, counted in steps.
 */
const root = fileURLToPath(new URL('..', import.meta.url))

interface Step {
  name: string
  run(): Promise<{ passed: boolean; output: string }>
}

const steps: Step[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: () => runTool('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.') },
  { name: 'boundaries', run: () => runNode('test/boundaries/check.ts') },
  { name: 'words', run: () => runNode('test/words.ts') },
  { name: 'dead code', run: () => runTool('knip/bin/knip.js') },
  { name: 'lock file', run: checkLockFile },
  { name: 'unit tests', run: () => runTool('vitest/vitest.mjs', 'run', '--project', 'unit', '--reporter', 'dot') },
]

const chosen = steps.filter(({ name }) => name !== 'unit tests' || !process.argv.includes('--without-unit'))
let failed = 0
await twoAtATime(chosen, async (step) => {
  if (!(await report(step))) failed += 1
})
console.log(totalsLine({ passed: chosen.length - failed, failed, skipped: 0 }))
process.exitCode = failed === 0 ? 0 : 1

async function report({ name, run }: Step): Promise<boolean> {
  const startedMs = performance.now()
  const { passed, output } = await run()
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`${passed ? 'ok    ' : 'FAILED'} ${name.padEnd(12)} ${seconds.padStart(5)} s`)
  if (!passed) console.log(output.trimEnd())
  return passed
}

/** Tools are started by their files, not through `.bin`, so that they run on this Node and on every platform alike. */
function runTool(file: string, ...args: string[]) {
  return runNode(`node_modules/${file}`, ...args)
}

function runNode(...args: string[]): Promise<{ passed: boolean; output: string }> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ passed: code === 0, output }))
  })
}

async function checkTypes() {
  const written = await runNode('test/api/write-openapi-paths.ts')
  if (!written.passed) return written
  const [service, portal] = await Promise.all([
    runTool('typescript-native/bin/tsc', '--noEmit'),
    runTool('typescript-native/bin/tsc', '--noEmit', '--project', 'portal'),
  ])
  return { passed: service.passed && portal.passed, output: service.output + portal.output }
}

async function checkLockFile() {
  const lock: LockFile = JSON.parse(await readFile(`${root}/package-lock.json`, 'utf8'))
  const faults = lockFaults(JSON.parse(await readFile(`${root}/package.json`, 'utf8')), lock)
  return { passed: faults.length === 0, output: faults.join('\n') }
}
