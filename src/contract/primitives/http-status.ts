/** The store has reached a limit of its plan. Source: BigCommerce "API status codes". */
export const insufficientStorage = 507

/** From 500 on, but refusals: no such call, and a limit of the plan. Source: BigCommerce "API status codes". */
const refusals: readonly number[] = [501, insufficientStorage]

/** Whether the platform failed, so that the outcome of the call is open. */
export function isServerFault(httpStatus: number): boolean {
  return httpStatus >= 500 && !refusals.includes(httpStatus)
}
