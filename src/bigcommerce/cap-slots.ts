import type { EndpointCap } from './endpoint-caps.ts'

/**
 * Slots for endpoints whose concurrency cap is smaller than the number of a store's consumers. Such a cap cannot be
 * divided, so consumers in all processes take turns (E4).
 */
export interface CapSlots {
  /**
   * Waits for one of the cap's slots.
   *
   * @returns a function that releases the slot.
   * @throws the signal's reason.
   */
  take(cap: EndpointCap, signal?: AbortSignal): Promise<() => void>
}

/** Key of the endpoint, the same for all consumers. */
export function endpointName({ method, pattern }: EndpointCap): string {
  return `${method ?? 'any'} ${pattern.source}`
}

/**
 * Caps up to this size always use slots, because consumers notice a new one only after a second. A larger value adds
 * two database statements to more calls; with a smaller one, a newcomer's first call could exceed the cap.
 */
export const alwaysBySlots = 3
