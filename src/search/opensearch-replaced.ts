import type { Clock } from '../clock.ts'
import { SearchIndexMissing } from './opensearch-client.ts'
import type { HiddenWriting } from './opensearch-hidden.ts'
import { readersMs } from './opensearch-issues.ts'
import { type RunsOfIndex, refresh, removeIssues, removeWritings } from './opensearch-runs.ts'
import { type RunKey, SearchStoreAway } from './search-store.ts'

interface Deps extends RunsOfIndex {
  clock: Clock
}

/** Writings that this process has replaced. They stay for readers that began before. */
export interface ReplacedWritings {
  add(run: RunKey, writings: string[]): void
  /** Those that no reader needs any more. */
  removeDue(): Promise<void>
  /** Waits for the readers. */
  removeAll(): Promise<void>
}

export function keepReplacedWritings(deps: Deps): ReplacedWritings {
  const { clock } = deps
  let kept: { run: RunKey; writings: string[]; dueMs: number }[] = []

  async function removeDue(): Promise<void> {
    for (let first = kept[0]; first && first.dueMs <= clock.monotonicMs(); first = kept[0]) {
      const { run, writings } = first
      await removeWritings(deps, run, writings).catch((error: unknown) => {
        if (error instanceof SearchStoreAway && !(error instanceof SearchIndexMissing)) throw error
        // The next writing of the run removes them.
      })
      kept = kept.filter((one) => one !== first)
    }
  }

  return {
    add(run, writings) {
      if (writings.length > 0) kept.push({ run, writings, dueMs: clock.monotonicMs() + readersMs })
    },
    removeDue,
    async removeAll() {
      for (let first = kept[0]; first; first = kept[0]) {
        await clock.sleep(first.dueMs - clock.monotonicMs())
        await removeDue()
      }
    },
  }
}

/**
 * Removes the issues of every writing that has ended and is not shown, whichever process left them. The writings stay
 * hidden, because requests of their writers may still be on their way.
 */
export async function removeHiddenIssues(deps: Deps): Promise<void> {
  await refresh(deps)
  const ended = await listEnded(deps)
  if (ended.length === 0) return
  await deps.clock.sleep(readersMs)
  for (const { organisationId, runId, writing } of ended) await removeIssues(deps, { organisationId, runId }, [writing])
}

const listedAtOnce = 500

async function listEnded({ openSearch, index }: Deps): Promise<(RunKey & HiddenWriting)[]> {
  const ended: (RunKey & HiddenWriting)[] = []
  for (let after: string | undefined; ; ) {
    const { body } = await openSearch.write((client) =>
      client.search({
        index: index.alias,
        body: {
          query: { bool: { filter: [{ term: { kind: 'hidden' } }] } },
          sort: [{ organisationId: 'asc' }],
          ...(after !== undefined && { search_after: [after] }),
          size: listedAtOnce,
          track_total_hits: false,
        },
      }),
    )
    const page = body.hits.hits.map(({ _source }) => _source as { organisationId: string; writings: HiddenWriting[] })
    for (const { organisationId, writings } of page)
      ended.push(...writings.filter(({ open }) => !open).map((one) => ({ organisationId, ...one })))
    if (page.length < listedAtOnce) return ended
    after = page.at(-1)?.organisationId
  }
}
