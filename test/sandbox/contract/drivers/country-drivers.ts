import { NO_SUCH_ID } from './contract-shop.ts'
import { type Driver, drive } from './driver.ts'

const ALL = '/v2/countries'
const ONE = `${ALL}/:countryId`

/** Australia, the first of the list, and its first state. */
const FIRST = 1

/** Nothing but who asks can be wrong with the lists and counts of all. */
export const countryDrivers: Driver[] = [
  drive(`GET ${ALL}`),
  drive(`GET ${ALL}/count`),
  drive(`GET ${ALL}/states`),
  drive(`GET ${ALL}/states/count`),
  drive(`GET ${ONE}`, { ids: [FIRST] }),
  drive(`GET ${ONE}/states`, { ids: [FIRST] }),
  drive(`GET ${ONE}/states/count`, { ids: [FIRST] }),
  drive(`GET ${ONE}/states/:stateId`, { ids: [FIRST, FIRST] }, { ids: [FIRST, NO_SUCH_ID] }),
]
