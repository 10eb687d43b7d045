/**
 * Where a published file contradicts itself, its own examples or another published source, and what the sandbox therefore
 * does not follow. One line each: operation, status (or `request`), place.
 */
export interface Contradiction {
  reason: string
  places: string[]
}
