import type { EndpointCap } from './endpoint-caps.ts'

/**
 * Where all consumers of a store, whatever process they are in, take turns at an endpoint that answers fewer calls at once than
 * there are consumers: such a cap cannot be divided between them (E4).
 */
export interface CapSlots {
  /**
   * Waits for one of the cap's slots.
   *
   * @returns gives it back.
   * @throws the signal's reason.
   */
  take(cap: EndpointCap, signal?: AbortSignal): Promise<() => void>
}

/** By which all consumers mean the same endpoint. */
export function endpointName({ method, pattern }: EndpointCap): string {
  return `${method ?? 'any'} ${pattern.source}`
}

/**
 * A cap of so few is taken by slots whoever else there is: consumers learn of a new one only after a second. Larger: more calls
 * cost two statements of the database each; smaller: a newcomer's first call could be one too many.
 */
export const alwaysBySlots = 3
