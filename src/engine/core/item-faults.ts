import { z } from 'zod'
import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import type { IssueCode } from '../../contract/issue-codes.ts'
import { ItemGone, RunFailure, Stopped } from './stopping.ts'

/** The code and the words of an issue about a fault. */
export function describeFault(error: unknown): { code: IssueCode; words: string } {
  if (error instanceof ItemGone) return { code: 'deleted_meanwhile', words: error.message }
  return { code: 'unexpected', words: 'an unexpected fault' }
}

/** Whether only one item is at fault, and not an unreachable store, the database or a lost lease. */
export function isItemFault(error: unknown): boolean {
  if (
    error instanceof CredentialsError ||
    error instanceof StoreUnreachableError ||
    error instanceof Stopped ||
    error instanceof RunFailure
  )
    return false
  return (
    error instanceof ItemGone ||
    error instanceof PlatformError ||
    error instanceof UnreadableAnswerError ||
    error instanceof z.ZodError ||
    error instanceof TypeError ||
    error instanceof RangeError
  )
}
