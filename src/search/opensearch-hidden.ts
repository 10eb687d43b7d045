import { DocumentChanged, type OpenSearch } from './opensearch-client.ts'
import type { SearchIndex } from './opensearch-index.ts'

/** A writing whose issues no reader may see: it is not whole yet, was not finished, or a later one is shown. */
export interface HiddenWriting {
  runId: string
  writing: string
  /** Its writer may go on. */
  open: boolean
}

/** What a reader of an organisation leaves out. */
export interface Hidden {
  list: HiddenWriting[]
  /** How many writings of the organisation have begun. Those after it are left out, too. */
  begun: number
}

/** In one document of each organisation: changing it is what shows one writing instead of another. */
interface HiddenDocument extends Hidden {
  id: string
  exists: boolean
  /** What a change has to name, so that it fails if others have changed the list. */
  unchanged: Unchanged
}

type Unchanged = { if_seq_no: number; if_primary_term: number } | { op_type: 'create' }

interface Deps {
  openSearch: OpenSearch
  index: SearchIndex
}

/** How often others may come first. */
const mostConflicts = 50

/** @param how to read: with the patience of a reader or of a writer */
export async function readHidden(
  { openSearch, index }: Deps,
  organisationId: string,
  how: 'read' | 'write' = 'read',
): Promise<HiddenDocument> {
  const id = `${organisationId}:hidden`
  const { body } = await openSearch[how]((client) => client.get({ index: index.alias, id }, { ignore: [404] }))
  if (!body.found) return { list: [], begun: 0, id, exists: false, unchanged: { op_type: 'create' } }
  const { _seq_no: seqNo = 0, _primary_term: term = 0 } = body
  const { writings, begun } = body._source as { writings: HiddenWriting[]; begun: number }
  return { list: writings, begun, id, exists: true, unchanged: { if_seq_no: seqNo, if_primary_term: term } }
}

/** Changes the list, and begins again if another process did. @param change may be called several times */
export async function changeHidden(
  deps: Deps,
  organisationId: string,
  change: (hidden: Hidden) => Hidden,
): Promise<void> {
  const { openSearch, index } = deps
  for (let conflicts = 0; ; conflicts++) {
    const { id, exists, unchanged, ...hidden } = await readHidden(deps, organisationId, 'write')
    const { list, begun } = change(hidden)
    if (!exists && list.length === 0) return
    const body = { kind: 'hidden', organisationId, writings: list, begun }
    try {
      await openSearch.write((client) =>
        client.index({ index: index.alias, id, require_alias: true, ...unchanged, body }),
      )
      return
    } catch (error) {
      if (!(error instanceof DocumentChanged) || conflicts === mostConflicts) throw error
    }
  }
}
