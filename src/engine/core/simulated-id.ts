import { createHash } from 'node:crypto'

const prefix = 'planned:'

/** In place of the id that an item of a dry run would get (F2). */
export function simulatedId(component: string, sourceId: string): string {
  return `${prefix}${component}:${sourceId}`
}

export function isSimulated(destinationId: string): boolean {
  return destinationId.startsWith(prefix)
}

/**
 * The number by which drafts name an item of the destination. Drafts hold the platform's numbers; simulated items get negative
 * ones, which no existing item has.
 */
export function numberOf(destinationId: string): number {
  if (!isSimulated(destinationId)) return Number(destinationId)
  return -createHash('sha256').update(destinationId).digest().readUIntBE(0, 6) - 1
}
