import { z } from 'zod'
import { limits } from './limits.ts'

/** Text a person typed: at least one character. What PostgreSQL cannot keep is refused wherever it stands. */
export const text = z
  .string()
  .min(1, 'Must not be empty.')
  .max(limits.textLength, `Must have at most ${limits.textLength} characters.`)
