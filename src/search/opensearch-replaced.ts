import { SearchIndexMissing } from './opensearch-client.ts'
import type { HiddenWriting } from './opensearch-hidden.ts'
import { readersMs } from './opensearch-issues.ts'
import { listDocuments, type RunsOfIndex, removeIssues, removeWritings } from './opensearch-runs.ts'
import { SearchStoreAway } from './search-store.ts'

/** Writings that this process has replaced. They stay for readers that began before. */
export interface ReplacedWritings {
  add(organisationId: string, writings: string[]): void
  /** Those that no reader needs any more. */
  removeDue(): Promise<void>
  /** Waits for the readers. */
  removeAll(): Promise<void>
}

export function keepReplacedWritings(deps: RunsOfIndex): ReplacedWritings {
  const { clock } = deps
  let kept: { organisationId: string; writings: string[]; dueMs: number }[] = []

  async function removeDue(): Promise<void> {
    for (let first = kept[0]; first && first.dueMs <= clock.monotonicMs(); first = kept[0]) {
      const { organisationId, writings } = first
      await removeWritings(deps, organisationId, writings).catch((error: unknown) => {
        if (error instanceof SearchStoreAway && !(error instanceof SearchIndexMissing)) throw error
        // The next writing of the run removes them.
      })
      kept = kept.filter((one) => one !== first)
    }
  }

  return {
    add(organisationId, writings) {
      if (writings.length > 0) kept.push({ organisationId, writings, dueMs: clock.monotonicMs() + readersMs })
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
export async function removeHiddenIssues(deps: RunsOfIndex): Promise<void> {
  const ended = await listEnded(deps)
  if (ended.size === 0) return
  await deps.clock.sleep(readersMs)
  for (const [organisationId, writings] of ended) await removeIssues(deps, organisationId, writings)
}

const listedAtOnce = 500

/** By their organisation. */
async function listEnded(deps: RunsOfIndex): Promise<Map<string, string[]>> {
  const ended = new Map<string, string[]>()
  for (let after: string[] | undefined; ; ) {
    const page = await listDocuments<{ organisationId: string; writings: HiddenWriting[] }>(deps, {
      kind: 'hidden',
      order: ['organisationId'],
      fields: ['organisationId', 'writings'],
      after,
      limit: listedAtOnce,
    })
    for (const { organisationId, writings } of page) {
      const own = writings.filter(({ open }) => !open).map(({ writing }) => writing)
      if (own.length > 0) ended.set(organisationId, own)
      after = [organisationId]
    }
    if (page.length < listedAtOnce) return ended
  }
}
