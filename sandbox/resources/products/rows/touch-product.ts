import type { SandboxAnswer, SandboxRequest, SandboxRoute } from '../../../http/resource.ts'
import type { SandboxStore } from '../../../store/store.ts'
import { productTable } from '../../../tables/product-tables.ts'
import { now } from '../../../validation/dates.ts'

/**
 * With the switch `child_edit_bumps_date`, makes changes of a product's children also change its `date_modified`. The
 * sources do not say whether the platform does this.
 */
export function touchingProduct(routes: SandboxRoute[]): SandboxRoute[] {
  return routes.map((route) => (route.method === 'GET' ? route : { ...route, handle: touching(route) }))
}

function touching({ handle }: SandboxRoute): SandboxRoute['handle'] {
  return (request) => {
    const answer = handle(request)
    return answer instanceof Promise ? answer.then((late) => touched(request, late)) : touched(request, answer)
  }
}

function touched({ store, params }: SandboxRequest, answer: SandboxAnswer): SandboxAnswer {
  if (answer.status < 300) touchProduct(store, Number(params.productId))
  return answer
}

function touchProduct(store: SandboxStore, id: number): void {
  if (store.switches.child_edit_bumps_date !== true) return
  if (Number.isInteger(id) && productTable(store).get(id)) productTable(store).update(id, { date_modified: now() })
}
