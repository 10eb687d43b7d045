import { z } from 'zod'
import { limits } from './limits.ts'

/** Text a person typed: at least one character, and no NUL, which PostgreSQL cannot keep. */
export const text = z
  .string()
  .min(1, 'Must not be empty.')
  .max(limits.textLength, `Must have at most ${limits.textLength} characters.`)
  .refine((value) => !value.includes('\0'), 'Must not contain the NUL character.')
