import { z } from 'zod'

/** Arguments and fields that many tools share. Descriptions are short: the whole list of tools is read by a model every time. */
export const runId = z.string().max(64).describe('run_id from list_runs')
export const store = z.string().max(20).describe('Store hash from list_stores')

export const page = {
  limit: z.int().min(1).max(100).default(20),
  cursor: z.string().max(1_000).optional().describe('next_cursor of the page before, same filters'),
}

export const detail = z.enum(['concise', 'full']).default('concise')

export const since = z.iso.datetime({ offset: true }).optional()

/** A list with the position of its next page. */
export function listOf<Item extends z.ZodType>(name: string, item: Item, more: z.ZodRawShape = {}) {
  return z.strictObject({ ...more, [name]: z.array(item), next_cursor: z.string().optional() })
}

export const text = z.string()
export const count = z.int()
export const maybe = text.optional()

/** What a store or a person called something; cleaned on the way out. */
export const storeRef = z.strictObject({ hash: text, untrusted_label: text })

export const itemRef = z.strictObject({
  source_id: maybe,
  destination_id: maybe,
  untrusted_name: maybe,
  untrusted_sku: maybe,
  untrusted_path: maybe,
})
