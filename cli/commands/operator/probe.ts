import { readFile, writeFile } from 'node:fs/promises'
import { Presets, SingleBar } from 'cli-progress'
import { type Command, Option } from 'commander'
import { compareObservations } from '../../../src/probe/compare.ts'
import { minutesOf, type Plan } from '../../../src/probe/plan.ts'
import { reportOf } from '../../../src/probe/report.ts'
import { type ProbeResult, runProbe } from '../../../src/probe/run-probe.ts'
import type { Observation } from '../../../src/probe/try-steps.ts'
import { type CommandLine, print } from '../../shared/command-line.ts'
import { counted } from '../../shared/numbers.ts'

interface ProbeCommandOptions {
  store: string
  tokenFile: string
  throwaway?: boolean
  quick: boolean
  against?: 'sandbox'
  profile?: string
  report?: string
}

export function addProbe(program: Command, commandLine: CommandLine): void {
  program
    .command('probe')
    .description('find out how a throw-away store really answers, and remove everything again')
    .requiredOption('--store <hash>', 'store hash, the part after "store-" in the address of its control panel')
    .requiredOption('--token-file <path>', 'file with the access token of an API account of the store')
    .option('--throwaway', 'confirms that nothing is lost if the store breaks')
    .option('--quick', 'at most 400 calls: every write once, and what differed most often', false)
    .addOption(new Option('--against <what>', 'try the same there, and print what differs').choices(['sandbox']))
    .option('--profile <name>', 'profile of that sandbox, e.g. as-seen')
    .option('--report <path>', 'where to write the report (default: probe-<date>.json)')
    .addHelpText('after', '\nExample:\n  storeferry probe --store abc123 --token-file trial.token --throwaway --quick')
    .action((options: ProbeCommandOptions) => probe(commandLine, options))
}

async function probe(commandLine: CommandLine, options: ProbeCommandOptions): Promise<void> {
  const { store: hash, tokenFile, throwaway, quick } = options
  if (!throwaway) {
    throw new Error(
      `The probe creates and deletes items of every kind in store ${hash}. If nothing is lost when it breaks, add --throwaway.`,
    )
  }
  const { bigcommerceApiUrl: apiUrl, requestTimeoutSeconds } = commandLine.config()
  const token = (await readFile(tokenFile, 'utf8')).trim()
  const store = { apiUrl, hash, token, requestTimeoutMs: requestTimeoutSeconds * 1000 }
  const result = await watched(commandLine, { store, quick })
  await writeReport(commandLine, result, options)
  printResult(commandLine, result)
  if (options.against && !result.interrupted) await compareWithSandbox(commandLine, result.observations, options)
  if (result.interrupted) commandLine.exitWith(130)
  else if (result.after.left.length > 0) commandLine.exitWith(1)
}

type Probed = Pick<Parameters<typeof runProbe>[0], 'store' | 'quick'>

/** Prints the number of calls before the first write, then the progress. */
async function watched(commandLine: CommandLine, probed: Probed): Promise<ProbeResult> {
  const display = commandLine.output.isTTY ? openBar(commandLine) : openLines(commandLine)
  try {
    return await runProbe({
      ...probed,
      clock: commandLine.clock,
      signal: commandLine.signal,
      onPlan: (plan) => {
        print(
          commandLine,
          `${plan.steps} questions, at most ${plan.calls} calls: ${minutes(plan)} at 150 calls per 30 s.`,
        )
        display.start(plan)
      },
      onProgress: ({ calls, now }) => display.show(calls, now),
    })
  } finally {
    display.close()
  }
}

function minutes(plan: Plan): string {
  const count = minutesOf(plan)
  return count === 1 ? 'about a minute' : `about ${count} minutes`
}

interface Display {
  start(plan: Plan): void
  show(calls: number, now: string): void
  close(): void
}

function openBar({ output }: CommandLine): Display {
  const format = '{bar} {value} of at most {total} calls | {now}'
  // The library's type requires a Node stream; on a terminal, ours is standard output.
  const stream = output as NodeJS.WriteStream
  const bar = new SingleBar({ format, stream, hideCursor: true, clearOnComplete: false }, Presets.shades_classic)
  return {
    start: ({ calls }) => bar.start(calls, 0, { now: '' }),
    show: (calls, now) => bar.update(calls, { now }),
    close: () => bar.stop(),
  }
}

/** Without a terminal, every call would be a line in a log. */
const callsPerLine = 100

function openLines(commandLine: CommandLine): Display {
  let total = 0
  return {
    start: (plan) => {
      total = plan.calls
    },
    show(calls, now) {
      if (total > 0 && calls % callsPerLine === 0) print(commandLine, `${calls} of at most ${total} calls  ${now}`)
    },
    close: () => undefined,
  }
}

async function writeReport(
  commandLine: CommandLine,
  { observations }: ProbeResult,
  { report }: ProbeCommandOptions,
): Promise<void> {
  const date = commandLine.clock.now().toISOString().slice(0, 10)
  const path = report ?? `probe-${date}.json`
  const answers = reportOf(observations, { version: commandLine.version, date })
  await writeFile(path, `${JSON.stringify(answers, null, 2)}\n`)
  print(commandLine, `The report is in ${path}: ${answers.length} answers, without values of the store.`)
}

function printResult(commandLine: CommandLine, result: ProbeResult): void {
  const { observations, notTried, before, after, unlisted, calls } = result
  const count = (verdict: string) => observations.filter((observation) => observation.verdict === verdict).length
  const verdicts = ['as documented', 'as seen', 'new'].map((verdict) => `${count(verdict)} ${verdict}`)
  print(
    commandLine,
    `${calls} calls. Answers: ${verdicts.join(', ')}; ${counted(notTried.length, 'question')} could not be tried.`,
  )
  for (const { step, answers } of observations.filter(({ verdict }) => verdict === 'new'))
    print(commandLine, `  new: ${step.key} (HTTP ${answers.at(-1)?.httpStatus})`)
  for (const key of notTried) print(commandLine, `  not tried: ${key}`)
  for (const [kind, status] of unlisted)
    print(
      commandLine,
      `  ${kind}: the store does not list them (HTTP ${status}); a scope of the token or the plan is missing.`,
    )
  if (before.removed > 0)
    print(commandLine, `Removed ${counted(before.removed, 'item')} that an earlier probe had left.`)
  print(commandLine, `Removed ${counted(after.removed, 'item')}${archivedOf(after.archived)}.`)
  for (const { kind, items } of after.left)
    print(
      commandLine,
      `${items} ${kind} could not be removed. Start the probe again, or delete what begins with "sfprobe-".`,
    )
  if (result.interrupted) print(commandLine, 'The probe was interrupted; the report has what it found until then.')
}

function archivedOf(archived: number): string {
  return archived === 0 ? '' : `; archived ${counted(archived, 'order')}, because no API deletes orders`
}

async function compareWithSandbox(
  commandLine: CommandLine,
  observations: Observation[],
  { profile, quick }: ProbeCommandOptions,
): Promise<void> {
  // Imported here, so other commands do not load it.
  const { startSandbox } = await import('../../../sandbox/start.ts')
  const sandbox = await startSandbox({ stores: [{ name: 'probed', seed: 'empty', profile }] })
  try {
    const [address] = Object.values(sandbox.stores)
    if (!address) throw new Error('The sandbox did not start its store.')
    const store = { apiUrl: sandbox.url, hash: address.hash, token: address.token, requestTimeoutMs: 30_000 }
    const { observations: others } = await runProbe({
      store,
      quick,
      clock: commandLine.clock,
      signal: commandLine.signal,
    })
    const different = compareObservations(observations, others)
    print(commandLine, `\n${different.length} of ${observations.length} answers differ from those of the sandbox.`)
    for (const { key, differences } of different) print(commandLine, `  ${key}: ${differences.join('; ')}`)
  } finally {
    await sandbox.close()
  }
}
