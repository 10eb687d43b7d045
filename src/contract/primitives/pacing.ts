/** How much is in flight at once. The governor and the engine apply these limits, and forecasts use them. */
export const pacing = {
  /**
   * Root items of a run. Larger: more memory, and more unconfirmed writes when a process dies; smaller: a fast store
   * idles.
   */
  rootsUnderWay: 60,
  /** Calls to a store without a quota. */
  unlimitedInFlight: 24,
  /**
   * Calls to a store with a quota: never fewer, unless the platform objects. Smaller: the first window starts slowly.
   */
  leastInFlight: 4,
  /** Calls to a store with a quota: never more, because the quota bounds the rate anyway. */
  mostInFlight: 64,
  /** Calls beyond the mean need, so that a few slow ones leave no part of a window unused. */
  inFlightSlack: 1.5,
  /** Part of the quota left to the merchant's other apps, unless configured otherwise. */
  quotaReserve: 0.1,
  /**
   * In a window after one that was used up, this part of its calls is sent at once, and the others evenly until this part of
   * its time: other apps call all the time, and would find only the reserve left. The rest of the time makes up for calls that
   * had to wait for something else. Our choice.
   */
  sentAtOnce: 0.4,
  sentEvenlyUntil: 0.75,
}
