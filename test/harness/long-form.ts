import { test } from 'vitest'

/** Whether tests take their long form, as in the long suites. */
export const isLong = process.env.STOREFERRY_LONG === '1'

/** A test that only the long form has: the short one does not count it as skipped. */
export function longTest(title: string, run: () => Promise<void>, timeoutMs?: number): void {
  if (isLong) test(title, run, timeoutMs)
}
