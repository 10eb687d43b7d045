import { z } from 'zod'
import { limits } from './primitives/limits.ts'

/** A person's confirmation that a copy is right, after checking it and its comparison. */
export const signOff = z.strictObject({
  id: z.string(),
  comparison: z.string().describe('The request id of the comparison that was signed.'),
  signedBy: z.string(),
  note: z.string().nullable(),
  at: z.iso.datetime(),
  isCurrent: z.boolean().describe('False once the migration went on after that comparison.'),
})
export type SignOff = z.infer<typeof signOff>

export const signOffInput = z.strictObject({
  id: z.string().describe('The request id of the migration that is signed.'),
  comparison: z.string().describe('A finished comparison of this migration, begun after it ended.'),
  note: z.string().trim().min(1).max(limits.reasonLength).optional(),
})

export const signOffs = z.strictObject({ items: z.array(signOff) })
