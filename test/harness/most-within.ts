/** The most of these moments that fall within any time of that length. */
export function mostWithin(lengthMs: number, momentsMs: number[]): number {
  const sorted = momentsMs.toSorted((one, other) => one - other)
  let first = 0
  return sorted.reduce((most, atMs, at) => {
    while ((sorted[first] ?? atMs) <= atMs - lengthMs) first++
    return Math.max(most, at - first + 1)
  }, 0)
}
