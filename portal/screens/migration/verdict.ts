import type { DifferenceCounts } from '../../data/findings.ts'
import { listed } from '../../format/listed.ts'
import { counted, wholeNumber } from '../../format/number.ts'

type Count = DifferenceCounts['counts'][number]

/**
 * Whether a copy is right, and what a comparison found. The parts of the first sentence add up to all compared items;
 * what follows is about some of them, or about items that only the destination has.
 */
export function verdictOf({ compared, matched, counts }: DifferenceCounts): { isRight: boolean; sentence: string } {
  const sum = (kind: Count['kind'] | undefined, of: (one: Count) => number) =>
    counts.reduce((total, one) => (kind === undefined || one.kind === kind ? total + of(one) : total), 0)
  const different = sum('different', faults)
  const missing = sum('missing', faults)
  const left = sum('missing', ({ kept }) => kept)
  const unexplained = Math.max(0, compared - matched - different - missing - left)
  const [extra, kept] = [sum('extra', faults), sum('extra', (one) => one.kept)]
  const own = sum(undefined, ({ living }) => living)
  // Accepting what is no fault makes nothing else right.
  const accepted = sum(undefined, (one) => Math.min(one.dismissed, faults(one)))
  const parts = [
    `${wholeNumber(matched)} ${are(matched)} equal`,
    different > 0 && `${wholeNumber(different)} ${different === 1 ? 'differs' : 'differ'}`,
    missing > 0 && `${wholeNumber(missing)} ${are(missing)} missing`,
    left > 0 && `${wholeNumber(left)} ${left === 1 ? 'was' : 'were'} deleted there and left so`,
    unexplained > 0 && restOf(unexplained, missing + left > 0),
  ].filter((part) => part !== false)
  const also = [
    extra > 0 && `${wholeNumber(extra)} more ${are(extra)} only in the destination.`,
    kept > 0 &&
      `${wholeNumber(kept)} more ${are(kept)} only in the destination and ${kept === 1 ? 'stays: shoppers made it, the store needs it, or it was copied from elsewhere' : 'stay: shoppers made them, the store needs them, or they were copied from elsewhere'}.`,
    own > 0 &&
      `In ${wholeNumber(own)} of the equal ones, values that your shop changes itself, such as stock, are not the same.`,
    accepted > 0 &&
      `${wholeNumber(accepted)} of these findings ${accepted === 1 ? 'was' : 'were'} accepted as ${accepted === 1 ? 'it is' : 'they are'}.`,
  ].filter(Boolean)
  const isAllEqual = matched === compared && compared > 1
  const some = isAllEqual
    ? `All ${counted(compared, 'item')} are equal.`
    : `Of ${counted(compared, 'item')}, ${listed(parts)}.`
  // Then the stores cannot be called equal.
  const items = compared === 0 ? 'Nothing was compared.' : some
  return { isRight: compared > 0 && different + missing + extra <= accepted, sentence: [items, ...also].join(' ') }
}

/** Without values that the shop changes itself, and without what stays so on purpose. */
function faults({ count, living, kept }: Count): number {
  return count - living - kept
}

/** Compared items about which there is no finding of their own. */
function restOf(count: number, isAnyMissing: boolean): string {
  if (!isAnyMissing) return `${wholeNumber(count)} could not be compared`
  return `${wholeNumber(count)} ${count === 1 ? 'belongs' : 'belong'} to missing items or could not be compared`
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are'
}
