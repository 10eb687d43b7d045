import { z } from 'zod'
import {
  CredentialsError,
  PlatformError,
  StoreUnreachableError,
  UnreadableAnswerError,
} from '../../bigcommerce/errors.ts'
import { ItemGone, RunFailure, Stopped } from './stopping.ts'

export function wordsOf(error: unknown): string {
  if (error instanceof ItemGone) return error.message
  return error instanceof PlatformError ? error.title : 'an unexpected fault'
}

/** Anything that says something about one item only. The store being away, the database, a lost lease are not. */
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
