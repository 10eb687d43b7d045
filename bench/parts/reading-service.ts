import { fileURLToPath } from 'node:url'
import { cpuSeconds } from './cpu-seconds.ts'
import { answersPerSecond, type Message, median } from './load.ts'
import { startProcess } from './started-process.ts'

const PROCESS = fileURLToPath(new URL('./served-reads.ts', import.meta.url))
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const ROUND_SECONDS = 1
/** A running service has compiled code: the first thousands of responses are several times slower. */
const WARM_UP = 2_000

/** What `served-reads.ts` prints. */
export interface ReadingService {
  url: string
  bareUrl: string
  /** Of the bare route with a user. */
  userPath: string
  /** Of the API. */
  token: string
  /** Of the tool endpoint. */
  toolToken: string
  runs: { indexed: string; unindexed: string; live: string }
}

/** Client, service and database are separate processes. */
export async function withReadingService<Result>(work: (service: ReadingService) => Promise<Result>): Promise<Result> {
  const service = await startProcess<ReadingService>(PROCESS)
  try {
    return await work(service.said)
  } finally {
    await service.stop()
  }
}

export interface Asked {
  url: string
  message: Message
}

export interface Pace {
  perSecond: number
  /** What one answer takes of the processor in the service and PostgreSQL. Other load changes it less than the pace. */
  cpuMicros: number
}

/** The pace of each, medians over rounds. All are asked in turns, so that other load on the machine affects them equally. */
export async function inTurns<One extends Asked>(all: readonly One[], connections: number): Promise<Map<One, Pace>> {
  for (const { url, message } of all)
    for (let answers = 0; answers < WARM_UP; ) answers += await answersPerSecond(url, message, 1, connections)
  const rounds = new Map(all.map((one) => [one, [] as Pace[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [{ url, message }, taken] of rounds) {
      const before = await cpuSeconds(process.pid)
      const perSecond = await answersPerSecond(url, message, ROUND_SECONDS, connections)
      const cpuMicros = ((await cpuSeconds(process.pid)) - before) * 1e6
      taken.push({ perSecond, cpuMicros: cpuMicros / (perSecond * ROUND_SECONDS) })
    }
  const medianOf = (taken: Pace[], key: keyof Pace) => median(taken.map((pace) => pace[key]))
  return new Map(
    [...rounds].map(([one, taken]) => [
      one,
      { perSecond: medianOf(taken, 'perSecond'), cpuMicros: medianOf(taken, 'cpuMicros') },
    ]),
  )
}

/** Of a bare route and of ours. */
export function ratiosOf(ours: Pace | undefined, bare: Pace | undefined): { ratio: number; cpuRatio: number } {
  if (!ours || !bare) throw new Error('Only what was asked has a pace.')
  return { ratio: ours.perSecond / bare.perSecond, cpuRatio: bare.cpuMicros / ours.cpuMicros }
}
