import type { Database } from '../../db/core/database.ts'
import { otherSources, sourcesWithCopies } from '../../db/ledger/other-sources.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { componentOf, entities } from '../../entities/registry.ts'
import type { OtherSources } from '../../model/preflight-findings.ts'
import type { RunRequest } from '../core/messages.ts'
import type { MappingBook } from '../core/references.ts'

interface Looking {
  readonly run: Pick<RunRequest, 'phases' | 'conflictStrategy'>
  readonly pair: Readonly<StorePair>
  readonly database: Database
  readonly mappings: Pick<MappingBook, 'scope'>
}

/** What a run might overwrite although it was copied from a different store. `skip` overwrites nothing. */
export async function otherSourcesOf({ database, pair, run, mappings }: Looking): Promise<OtherSources> {
  const others = run.conflictStrategy === 'skip' ? [] : await otherSources(database, pair)
  if (others.length === 0) return { stores: [], components: [] }
  const passes = entities.filter(({ key }) => run.phases.includes(key)).flatMap((entity) => entity.passes)
  const roots = passes.filter(({ createOnly, lookupOnly }) => !createOnly && !lookupOnly).map(({ root }) => root)
  const found = await Promise.all(
    [...new Set(roots)].map(async (component) => {
      const { label } = componentOf(component)
      const sources = await sourcesWithCopies(database, pair, others, { scope: mappings.scope(component), component })
      return { key: component, label, sources }
    }),
  )
  const some = found.filter(({ sources }) => sources.length > 0)
  const stores = new Set(some.flatMap(({ sources }) => sources.map(({ label }) => label)))
  return { stores: [...stores], components: some.map(({ key, label }) => ({ key, label })) }
}
