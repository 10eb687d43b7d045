import { z } from 'zod'
import { storeHash } from '../../contract/stores.ts'
import { findMappings, listItemEvents } from '../../db/reports/item-history.ts'
import { entities } from '../../entities/registry.ts'
import { requireStore } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'

const shown = 100
const components = entities.flatMap((entity) => entity.components.map(({ key }) => key)) as [string, ...string[]]

export const getItemHistory = defineOperation({
  name: 'get-item-history',
  summary: 'Which item is the copy of which, and what each run recorded about it: the latest 100 of both.',
  input: z
    .strictObject({
      component: z.enum(components),
      sourceId: z.string().max(100).optional(),
      destinationId: z.string().max(100).optional(),
      source: storeHash.optional(),
    })
    .refine(({ sourceId, destinationId }) => sourceId !== undefined || destinationId !== undefined, {
      path: ['sourceId'],
      message: 'Give the id of the source item or of its copy.',
    }),
  output: z.strictObject({
    mappings: z.array(
      z.strictObject({
        source: z.string(),
        destination: z.string(),
        scope: z.string(),
        sourceId: z.string(),
        destinationId: z.string(),
        origin: z.enum(['created', 'adopted']),
        owed: z.array(z.string()),
        runId: z.string(),
        createdAt: z.iso.datetime(),
        updatedAt: z.iso.datetime(),
      }),
    ),
    events: z.array(
      z.strictObject({
        runId: z.string(),
        source: z.string(),
        destination: z.string(),
        at: z.iso.datetime(),
        event: z.enum(['issue', 'difference', 'overwritten', 'deleted', 'written']),
        what: z.string(),
        state: z.string().nullable(),
      }),
    ),
  }),
  isLong: () => true,
  async run({ component, sourceId = null, destinationId = null, source }, { organisationId }, { database }) {
    const store = source === undefined ? null : await requireStore(database, organisationId, source)
    const query = { organisationId, component, sourceStoreId: store?.id ?? null, sourceId, destinationId }
    const mappings = await findMappings(database, query, shown)
    const events = await listItemEvents(database, query, mappings, shown)
    return {
      mappings: mappings.map(({ createdAt, updatedAt, sourceStoreId: _, destinationStoreId: __, ...rest }) => ({
        ...rest,
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      })),
      events: events.map(({ at, ...rest }) => ({ ...rest, at: at.toISOString() })),
    }
  },
})
