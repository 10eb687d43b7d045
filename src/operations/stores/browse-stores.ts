import { z } from 'zod'
import { pageInput, pageOf } from '../../contract/primitives/list-page.ts'
import { store } from '../../contract/stores.ts'
import { listUsedStores, type UsedStore } from '../../db/reports/run-summaries.ts'
import { defineOperation } from '../shared/operation.ts'
import { slicePage } from '../shared/slice-page.ts'

export const storeWithUse = z.strictObject({
  ...store.shape,
  connectedAt: z.iso.datetime(),
  runsAsSource: z.int(),
  runsAsDestination: z.int(),
  lastRunAt: z.iso.datetime().nullable(),
})

export const browseStores = defineOperation({
  name: 'browse-stores',
  summary: 'Connected stores and their use so far, page by page.',
  input: z.strictObject({
    roleHint: z.enum(['source', 'destination', 'unused']).optional(),
    text: z.string().max(255).optional(),
    ...pageInput,
  }),
  output: pageOf(storeWithUse),
  async run({ limit, cursor, ...filters }, { organisationId }, { database, keyring }) {
    const stores = await listUsedStores(database, organisationId)
    const requested = stores.map(describeStore).filter((one) => fits(one, filters))
    const cursorScope = { list: 'stores', organisationId, filters }
    return slicePage(keyring, cursorScope, requested, { keyOf: ({ hash }) => hash, limit, cursor })
  },
})

type DescribedStore = z.infer<typeof storeWithUse>

export function describeStore({ id: _, connectedAt, lastRunAt, ...store }: UsedStore): DescribedStore {
  return { ...store, connectedAt: connectedAt.toISOString(), lastRunAt: lastRunAt?.toISOString() ?? null }
}

function fits(
  one: DescribedStore,
  { roleHint, text = '' }: { roleHint?: string | undefined; text?: string | undefined },
): boolean {
  const used: Record<string, boolean> = {
    source: one.runsAsSource > 0,
    destination: one.runsAsDestination > 0,
    unused: one.runsAsSource + one.runsAsDestination === 0,
  }
  const said = `${one.label}\n${one.hash}`.toLowerCase()
  return (roleHint === undefined || used[roleHint] === true) && said.includes(text.toLowerCase())
}
