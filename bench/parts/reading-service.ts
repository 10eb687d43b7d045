import { fileURLToPath } from 'node:url'
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

/**
 * Answers per second to each, medians over rounds. All are asked in turns, so that other load on the machine affects them
 * equally.
 */
export async function inTurns<One extends Asked>(all: readonly One[], connections: number): Promise<Map<One, number>> {
  for (const { url, message } of all)
    for (let answers = 0; answers < WARM_UP; ) answers += await answersPerSecond(url, message, 1, connections)
  const figures = new Map(all.map((one) => [one, [] as number[]]))
  for (let round = 0; round < ROUNDS; round++)
    for (const [{ url, message }, taken] of figures)
      taken.push(await answersPerSecond(url, message, ROUND_SECONDS, connections))
  return new Map([...figures].map(([one, taken]) => [one, median(taken)]))
}
