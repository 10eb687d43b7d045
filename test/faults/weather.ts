import { expect } from 'vitest'
import type { FaultKind } from '../../sandbox/faults/faults.ts'
import type { Issue } from '../../src/contract/issues.ts'
import type { MigrationDetail } from '../../src/contract/migration.ts'
import { compareStores } from '../comparison/compare-stores.ts'
import { linesOfFindings } from '../comparison/report-lines.ts'
import type { World } from '../harness/world.ts'
import type { FaultWish, Side } from '../harness/world-sandbox.ts'
import type { FaultMatrix } from './fault-matrix.ts'
import { download } from './fault-subjects.ts'
import type { Subject } from './subject.ts'
import { type Truth, withoutIds } from './truth.ts'

/** The ways in which a single call can fail. */
export const kindsOfCalls = {
  error_before_applying: {},
  error_after_applying: {},
  reset_before_applying: {},
  reset_after_applying: {},
  truncated_body: {},
  hold_after_applying: {},
  // After the time-out of 4 s, and before the unconfirmed write is settled.
  apply_late: { seconds: 4.3 },
  slow: { seconds: 1 },
  too_many_requests: {},
  overloaded: {},
  maintenance: {},
} as const satisfies Partial<Record<FaultKind, Partial<FaultWish>>>
export type CallKind = keyof typeof kindsOfCalls
export const callKinds = Object.keys(kindsOfCalls) as CallKind[]

/** Faults planted in a world, with the components whose calls they wait for. */
export class Weather {
  private readonly planted: { side: Side; id: number; kind: FaultKind; components: readonly string[] }[] = []
  private readonly world: World
  private readonly matrix: FaultMatrix | undefined

  /** @param matrix in which the hits are also counted. */
  constructor(world: World, matrix?: FaultMatrix) {
    this.world = world
    this.matrix = matrix
  }

  async plant(
    side: Side,
    kind: FaultKind,
    { components, ...call }: Subject,
    more: Partial<FaultWish> = {},
  ): Promise<void> {
    const id = await this.world.fault(side, { kind, times: 1, ...call, ...more })
    this.planted.push({ side, id, kind, components })
  }

  /** @returns what was planted and hit no call. */
  async count(): Promise<string[]> {
    const missed: string[] = []
    for (const side of ['source', 'destination'] as const) {
      const hits = new Map((await this.world.faults(side)).map((fault) => [fault.id, fault.hits]))
      for (const one of this.planted.filter((planted) => planted.side === side)) {
        const met = hits.get(one.id) ?? 0
        for (const component of one.components) this.matrix?.add(component, one.kind, met)
        if (met === 0) missed.push(`${side} ${one.kind} ${one.components}`)
      }
    }
    return missed
  }
}

export async function openItems(world: World, id: string): Promise<Issue[]> {
  return (await world.issues(id)).filter(({ severity, state }) => severity === 'failure' && state === 'open')
}

export function linesOfIssues(issues: Issue[]): string[] {
  return issues.map(({ component, code, item }) => withoutIds(`${component} ${code} ${item.name}`)).sort()
}

export async function findingLines(world: World): Promise<string[]> {
  const found = compareStores(await world.state('source'), await world.state('destination'))
  return linesOfFindings(found).map(withoutIds).sort()
}

/** Expects the copy of a good day: nothing twice, nothing missing, and no change except those that cannot be avoided. */
export async function expectGoodCopy(world: World, run: MigrationDetail, { failures, findings }: Truth): Promise<void> {
  expect(linesOfIssues(await openItems(world, run.requestId))).toEqual(failures)
  expect(run.status).toBe(failures.length === 0 ? 'completed' : 'partial_completed')
  expect(await findingLines(world)).toEqual(findings)
  await expectUnchangedSource(world)
}

export async function expectUnchangedSource(world: World): Promise<void> {
  const writes = (await world.requests('source')).filter(({ method }) => method !== 'GET')
  const startsDownload = ({ method, path }: (typeof writes)[number]) =>
    method === download.method && new RegExp(download.path).test(path)
  expect(writes.filter((one) => !startsDownload(one))).toEqual([])
}
