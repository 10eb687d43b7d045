import { z } from 'zod'
import { ServiceError } from '../../contract/service-error.ts'
import { storeHash } from '../../contract/stores.ts'
import { identity } from '../../entities/core/references.ts'
import {
  browsableEntities,
  catalogItem,
  countBelow,
  describeItem,
  isOpen,
  passOf,
  readItem,
  readItemByKey,
} from '../shared/catalog-item.ts'
import { requireStore } from '../shared/connected-store.ts'
import { liveRead } from '../shared/live-read.ts'
import { defineOperation } from '../shared/operation.ts'

export const getCatalogItem = defineOperation({
  name: 'get-catalog-item',
  summary: 'One item of a connected store, read live, as a migration would read it.',
  input: z
    .strictObject({
      hash: storeHash,
      entity: z.enum(browsableEntities),
      itemId: z.string().max(100).optional(),
      key: z.string().min(1).max(255).optional(),
    })
    .refine(({ itemId, key }) => (itemId === undefined) !== (key === undefined), {
      path: ['itemId'],
      message: 'Give either the id of the item or its key.',
    }),
  output: z.strictObject({
    item: catalogItem,
    below: z.record(z.string(), z.int()).describe('Number of its children, by component.'),
    fields: z.record(z.string(), z.unknown()).nullable().describe('Null for personal and secret data.'),
  }),
  async run({ hash, entity, itemId, key }, { organisationId }, deps) {
    const store = await requireStore(deps.database, organisationId, hash)
    const pass = passOf(entity)
    if (key !== undefined && !isOpen(pass.root))
      throw new ServiceError('validation_failed', keyless, { errors: { key: [keyless] } })
    const client = deps.openStore(store, { readOnly: true })
    const item = await liveRead(deps.clock, (signal) =>
      itemId !== undefined ? readItem(client, pass, itemId, signal) : readItemByKey(client, pass, key ?? '', signal),
    )
    if (!item) throw new ServiceError('not_found', 'The store has no such item.')
    const draft = pass.drafts(item, identity)
    return {
      item: describeItem(draft),
      below: countBelow(draft),
      fields: isOpen(pass.root) ? { ...draft.compare } : null,
    }
  },
})

const keyless = 'Items with personal or secret data can only be found by id.'
