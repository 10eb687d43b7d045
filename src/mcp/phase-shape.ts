import { z } from 'zod'
import { count, text } from './shapes.ts'

export const phaseShape = z.strictObject({
  key: text,
  label: text,
  created: count,
  updated: count,
  skipped: count,
  matched: count,
  failed: count,
  pruned: count,
  total: count,
})

export const componentShape = z.strictObject({
  key: text,
  label: text,
  discovered: count,
  success: count,
  matched: count,
  failed: count,
  skipped: count,
  pruned: count,
  errors: count.optional(),
  total: count,
  widgets: count.optional(),
})
