import { z } from 'zod'
import { counters, storeRef, timestamps } from './migration.ts'
import { conflictStrategies, modes } from './modes.ts'
import { pageInput, pageOf } from './primitives/list-page.ts'
import { moment } from './primitives/moment.ts'
import { migrationStatuses } from './status.ts'
import { storeHash } from './stores.ts'

export const person = z.strictObject({ id: z.string(), name: z.string() })

export const historyEntry = z.strictObject({
  requestId: z.string(),
  label: z.string().nullable(),
  source: storeRef,
  destination: storeRef,
  mode: z.enum(modes),
  conflictStrategy: z.enum(conflictStrategies),
  status: z.enum(migrationStatuses),
  selective: z.boolean(),
  counters,
  failuresOpen: z.int().min(0),
  timestamps,
  summaryLine: z.string(),
  createdBy: person.nullable().describe('Null when the requester is not known.'),
})
export type HistoryEntry = z.infer<typeof historyEntry>

export const historyFilters = {
  status: z.enum(migrationStatuses).optional(),
  mode: z.enum(modes).optional(),
  store: storeHash.optional().describe('As source or destination.'),
  source: storeHash.optional(),
  destination: storeHash.optional(),
  createdFrom: moment.optional(),
  createdBefore: moment.optional(),
  text: z.string().max(255).optional().describe('Part of the label, of the label or hash of a store, or of the id.'),
}

export const listMigrationsInput = z.strictObject({ ...historyFilters, ...pageInput })
export const historyPage = pageOf(historyEntry)
