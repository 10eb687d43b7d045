import type { DifferenceCounts } from '../../data/findings.ts'
import { counted, wholeNumber } from '../../format/number.ts'

type Count = DifferenceCounts['counts'][number]

const wrong: Record<Count['kind'], { one: string; many: string }> = {
  different: { one: 'differs', many: 'differ' },
  missing: { one: 'is missing', many: 'are missing' },
  extra: { one: 'is only in the destination', many: 'are only in the destination' },
}

/** Whether a copy is right, in one sentence, with what else a comparison found. */
export function verdictOf({ compared, matched, counts }: DifferenceCounts): { isRight: boolean; sentence: string } {
  const sum = (of: (one: Count) => number) => counts.reduce((total, one) => total + of(one), 0)
  const ofKind = (kind: Count['kind']) => sum((one) => (one.kind === kind ? one.count - one.living - one.kept : 0))
  const found = (['different', 'missing', 'extra'] as const)
    .map((kind) => ({ count: ofKind(kind), words: wrong[kind] }))
    .filter(({ count }) => count > 0)
  const [own, kept, accepted] = [sum(({ living }) => living), sum((one) => one.kept), sum(({ dismissed }) => dismissed)]
  const list = found.map(({ count, words }) => `${wholeNumber(count)} ${count === 1 ? words.one : words.many}`)
  const also = [
    own > 0 && `${wholeNumber(own)} more differ only in values your shop changes itself, such as stock.`,
    kept > 0 && `${wholeNumber(kept)} were kept because shoppers made them.`,
    accepted > 0 && `${wholeNumber(accepted)} were accepted as they are.`,
  ].filter(Boolean)
  const isAllEqual = list.length === 0 && matched === compared && compared > 1
  const some = `Of ${counted(compared, 'item')} ${wholeNumber(matched)} are equal; ${list.join(', ') || 'nothing differs'}.`
  const items = isAllEqual ? `All ${counted(compared, 'item')} are equal.` : some
  return {
    isRight: found.reduce((total, { count }) => total + count, 0) <= accepted,
    sentence: [items, ...also].join(' '),
  }
}
