/** How many root items are in progress at a time. */
export interface ReadAhead {
  readonly roots: number
  /** Called when memory runs low (A6). */
  halve(): void
}

/** Fewer would leave the connection to the destination idle between answers. */
const fewestRoots = 4

export function createReadAhead(roots: number): ReadAhead {
  let current = roots
  return {
    get roots() {
      return current
    },
    halve: () => {
      current = Math.max(fewestRoots, Math.floor(current / 2))
    },
  }
}
