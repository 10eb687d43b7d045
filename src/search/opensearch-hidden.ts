import { DocumentChanged, type OpenSearch } from './opensearch-client.ts'
import type { SearchIndex } from './opensearch-index.ts'

/** A writing whose issues no reader may see: it is not whole yet, was not finished, or a later one is shown. */
export interface HiddenWriting {
  runId: string
  writing: string
  /** Its writer may go on. */
  open: boolean
}

/** The hidden writings of an organisation, in one document: changing it is what shows one writing instead of another. */
export interface HiddenWritings {
  list: HiddenWriting[]
  /** Changes with the list. */
  version: string
  id: string
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
): Promise<HiddenWritings> {
  const id = `${organisationId}:hidden`
  const { body } = await openSearch[how]((client) => client.get({ index: index.alias, id }, { ignore: [404] }))
  if (!body.found) return { list: [], version: '', id, unchanged: { op_type: 'create' } }
  const { _seq_no: seqNo = 0, _primary_term: term = 0 } = body
  const { writings } = body._source as { writings: HiddenWriting[] }
  return { list: writings, version: `${term}.${seqNo}`, id, unchanged: { if_seq_no: seqNo, if_primary_term: term } }
}

/** Changes the list, and begins again if another process did. @param change may be called several times */
export async function changeHidden(
  deps: Deps,
  organisationId: string,
  change: (list: HiddenWriting[]) => HiddenWriting[],
): Promise<void> {
  const { openSearch, index } = deps
  for (let conflicts = 0; ; conflicts++) {
    const { list, id, unchanged } = await readHidden(deps, organisationId, 'write')
    const body = { kind: 'hidden', organisationId, writings: change(list) }
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
