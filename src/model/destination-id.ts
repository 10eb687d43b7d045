import { createHash } from 'node:crypto'

declare const shownByPlatform: unique symbol

/**
 * The id of an item at the destination. Only a response of the platform provides one, or a dry run's simulation of it
 * (F2, G6).
 */
export type DestinationId = string & { readonly [shownByPlatform]: true }

/** Prefix of the ids that a dry run makes up. */
export const simulatedPrefix = 'planned:'

/** A missing id, or a number made of one, as text. */
const noIds: readonly string[] = ['', 'undefined', 'null', 'NaN']

/** Null for a value that is not an id. An id that begins with a colon has lost its first half. */
export function readDestinationId(shown: unknown): DestinationId | null {
  const id = String(shown)
  return noIds.includes(id) || id.startsWith(':') ? null : (id as DestinationId)
}

/** @throws RangeError for a value that is not an id */
export function destinationId(shown: unknown): DestinationId {
  const id = readDestinationId(shown)
  if (id === null) throw new RangeError(`"${String(shown)}" is not an id that the destination gave.`)
  return id
}

/**
 * The number that drafts use for an item of the destination. Drafts hold the platform's numbers; simulated items get
 * negative ones, which no existing item has.
 * @throws RangeError for an id that is not a number
 */
export function numberOf(id: string): number {
  if (id.startsWith(simulatedPrefix)) return -createHash('sha256').update(id).digest().readUIntBE(0, 6) - 1
  const number = Number(id)
  if (id.trim() === '' || !Number.isSafeInteger(number))
    throw new RangeError(`"${id}" is not a number that the destination gave.`)
  return number
}
