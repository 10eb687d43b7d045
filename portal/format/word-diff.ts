/** A stretch of text that both texts have, or only one of them. */
export interface Stretch {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** If more words than this differ, they are not compared one by one: on a phone that would take seconds. */
const mostCompared = 1_500

/** What to remove from one text, and what to add, to get the other one, word by word. */
export function wordDiff(before: string, after: string): Stretch[] {
  const [ours, theirs] = [wordsOf(before), wordsOf(after)]
  const least = Math.min(ours.length, theirs.length)
  let start = 0
  while (start < least && ours[start] === theirs[start]) start++
  let end = 0
  while (end < least - start && ours.at(-1 - end) === theirs.at(-1 - end)) end++
  const middle = between(ours.slice(start, ours.length - end), theirs.slice(start, theirs.length - end))
  const common = (text: string[]): Stretch => ({ kind: 'same', text: text.join('') })
  return joined([common(ours.slice(0, start)), ...middle, common(ours.slice(ours.length - end))])
}

/** The words of a text, and what is between them. */
function wordsOf(text: string): string[] {
  return text.match(/\s+|[^\s<>]+|[<>]/g) ?? []
}

function between(ours: string[], theirs: string[]): Stretch[] {
  const removed = (text: string): Stretch => ({ kind: 'removed', text })
  const added = (text: string): Stretch => ({ kind: 'added', text })
  if (ours.length > mostCompared || theirs.length > mostCompared)
    return [removed(ours.join('')), added(theirs.join(''))]
  const common = commonLengths(ours, theirs)
  const stretches: Stretch[] = []
  let [at, other] = [0, 0]
  while (at < ours.length || other < theirs.length) {
    const [word, theirWord] = [ours[at], theirs[other]]
    if (word !== undefined && word === theirWord) {
      stretches.push({ kind: 'same', text: word })
      at++
      other++
    } else if (
      theirWord === undefined ||
      (word !== undefined && lengthAt(common, at + 1, other) >= lengthAt(common, at, other + 1))
    ) {
      stretches.push(removed(word ?? ''))
      at++
    } else {
      stretches.push(added(theirWord))
      other++
    }
  }
  return stretches
}

/** For each pair of positions, how many words the rests of both texts have in common, in order. */
function commonLengths(ours: string[], theirs: string[]): Uint16Array[] {
  const rows = Array.from({ length: ours.length + 1 }, () => new Uint16Array(theirs.length + 1))
  for (let at = ours.length - 1; at >= 0; at--) {
    const row = rows[at]
    if (!row) continue
    for (let other = theirs.length - 1; other >= 0; other--)
      row[other] =
        ours[at] === theirs[other]
          ? lengthAt(rows, at + 1, other + 1) + 1
          : Math.max(lengthAt(rows, at + 1, other), lengthAt(rows, at, other + 1))
  }
  return rows
}

function lengthAt(rows: Uint16Array[], at: number, other: number): number {
  return rows[at]?.[other] ?? 0
}

/** Joins neighbouring stretches of the same kind. */
function joined(stretches: Stretch[]): Stretch[] {
  const result: Stretch[] = []
  for (const { kind, text } of stretches) {
    const last = result.at(-1)
    if (text === '') continue
    if (last?.kind === kind) last.text += text
    else result.push({ kind, text })
  }
  return result
}
