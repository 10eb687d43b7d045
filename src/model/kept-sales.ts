/** A level that a run sets at one location. */
export interface SetLevel {
  /** Sales that are subtracted from it, and after a repeated call whatever else has changed it. */
  taken: number
  /** The level found before it was set, and the one to set. */
  seen: number
  target: number
}

/** Stock that an item got when it was created, and its levels that are being set, by location. */
export interface StartedStock {
  quantity: number
  levels: Readonly<Record<string, SetLevel>>
}

/**
 * The level of a new item at one location: that of the source, less what the shop has sold of the item since its
 * creation (G11). Whatever is missing from its initial stock was sold. If there is more than that, it was restocked,
 * and nothing counts as sold.
 *
 * @param now its current levels, by location
 */
export function levelToSet(
  { quantity, levels }: StartedStock,
  now: Readonly<Record<string, number>>,
  location: string,
  desired: number,
): SetLevel {
  const before = levels[location]
  if (before) return again(before, now[location] ?? 0)
  const seen = now[location] ?? 0
  let left = quantity
  for (const [at, level] of Object.entries(now)) if (!levels[at]) left -= level
  // Levels that were already set do not show earlier sales, so the levels seen before are used.
  for (const level of Object.values(levels)) left -= level.seen + level.taken
  const taken = Math.max(0, Math.min(desired, left))
  return { taken, seen, target: desired - taken }
}

/**
 * Repeats a call that may have been applied: if it was, only the shop has changed the level since. Whatever changed it is
 * no sale for other locations to take off.
 */
function again({ taken, seen, target }: SetLevel, now: number): SetLevel {
  const change = target - seen
  const isApplied = change > 0 ? now > seen : now <= target
  return { taken: taken + seen - now, seen: now, target: isApplied ? now : Math.max(0, now + change) }
}
