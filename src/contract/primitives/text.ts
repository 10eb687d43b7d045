import { z } from 'zod'
import { limits } from './limits.ts'

/** Non-empty text typed by a person. `perform` refuses characters that PostgreSQL cannot store. */
export const text = z
  .string()
  .min(1, 'Must not be empty.')
  .max(limits.textLength, `Must have at most ${limits.textLength} characters.`)
