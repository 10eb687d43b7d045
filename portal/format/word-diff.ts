/** A stretch of two texts: in both, or in one of them only. */
export interface Stretch {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** More words than this in what differs are not compared with each other: on a phone it would take seconds. */
const mostCompared = 1_500

/** What has to be removed from one text and added to make it the other, word by word. */
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

/** Words and what is between them. */
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

/** How many words the rests of both have in common, in order, from each place of one and the other. */
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

/** Neighbours of one kind as one. */
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
