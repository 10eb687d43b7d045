/** What each of several is called: in brief, or in full if another one has the same brief name. */
export function distinctNames<One>(
  all: readonly One[],
  brief: (one: One) => string,
  full: (one: One) => string,
): (one: One) => string {
  const names = all.map(brief)
  const shared = new Set(names.filter((name, at) => names.indexOf(name) < at))
  return (one) => (shared.has(brief(one)) ? full(one) : brief(one))
}
