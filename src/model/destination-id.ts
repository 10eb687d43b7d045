import { createHash } from 'node:crypto'

declare const shownByPlatform: unique symbol

/** The id of an item at the destination. Only an answer of the platform gives one, or the simulation of one (F2, G6). */
export type DestinationId = string & { readonly [shownByPlatform]: true }

/** Before the ids that a dry run makes up. */
export const simulatedPrefix = 'planned:'

/** What a missing id, or a number made of one, becomes as text. */
const noIds: readonly string[] = ['', 'undefined', 'null', 'NaN']

/** Null for a value that is no id. An id that begins with a colon would lack its first half. */
export function readDestinationId(shown: unknown): DestinationId | null {
  const id = String(shown)
  return noIds.includes(id) || id.startsWith(':') ? null : (id as DestinationId)
}

/** @throws RangeError for a value that is no id */
export function destinationId(shown: unknown): DestinationId {
  const id = readDestinationId(shown)
  if (id === null) throw new RangeError(`"${String(shown)}" is not an id that the destination gave.`)
  return id
}

/**
 * The number by which drafts name an item of the destination. Drafts hold the platform's numbers; simulated items get negative
 * ones, which no existing item has.
 * @throws RangeError for an id that is no number
 */
export function numberOf(id: string): number {
  if (id.startsWith(simulatedPrefix)) return -createHash('sha256').update(id).digest().readUIntBE(0, 6) - 1
  const number = Number(id)
  if (id.trim() === '' || !Number.isSafeInteger(number))
    throw new RangeError(`"${id}" is not a number that the destination gave.`)
  return number
}
