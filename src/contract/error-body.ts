import { z } from 'zod'
import { type ErrorCode, errorStatuses } from './service-error.ts'

// Object.keys loses the literal types; there is at least one code.
const codes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]]

export const errorBody = z
  .object({
    error: z.enum(codes).describe('Machine-readable code.'),
    message: z.string().describe('What is wrong and what to do about it.'),
    status: z.number().int().optional().describe('On platform_error: the status the commerce platform returned.'),
    errors: z
      .record(z.string(), z.array(z.string()))
      .optional()
      .describe('On validation_failed: messages by dotted path of the field.'),
  })
  .meta({ id: 'Error' })
export type ErrorBody = z.infer<typeof errorBody>
