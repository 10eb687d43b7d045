import { z } from 'zod'
import { moment } from '../contract/primitives/moment.ts'

/**
 * Arguments and fields that several tools share. Descriptions are short, because models read the whole list every time.
 */
export const runId = z.string().max(64).describe('From list_runs')
export const store = z.string().max(20).describe('Hash from list_stores')

/** The hash of one store of a pair; the argument's name shows which. */
export const ofPair = z.string().max(20)

export const page = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(1_000).optional().describe('next_cursor; same filters'),
}

export const detail = z.enum(['concise', 'full']).default('concise')

export const since = moment.optional()

/** A list with the cursor of its next page. */
export function listOf<Item extends z.ZodType>(name: string, item: Item, more: z.ZodRawShape = {}) {
  return z.strictObject({ ...more, [name]: z.array(item), next_cursor: z.string().optional() })
}

export const text = z.string()
export const count = z.int()
export const maybe = text.optional()

/** A pair of stores; their labels are untrusted. */
export const pairFields = {
  source: text,
  untrusted_source_label: text,
  destination: text,
  untrusted_destination_label: text,
}

/** The item that an entry is about. */
export const itemFields = {
  source_id: maybe,
  destination_id: maybe,
  untrusted_name: maybe,
  untrusted_sku: maybe,
  untrusted_path: maybe,
}
