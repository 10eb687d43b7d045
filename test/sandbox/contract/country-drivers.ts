import { NOBODY } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const ALL = '/v2/countries'
const ONE = `${ALL}/:countryId`

/** Australia, the first of the list, and its first state. */
const FIRST = 1

/** Nothing but who asks can be wrong with the lists and counts of all. */
export const countryDrivers: Driver[] = [
  { operation: `GET ${ALL}`, succeeds: [{}], fails: [] },
  { operation: `GET ${ALL}/count`, succeeds: [{}], fails: [] },
  { operation: `GET ${ALL}/states`, succeeds: [{}], fails: [] },
  { operation: `GET ${ALL}/states/count`, succeeds: [{}], fails: [] },
  { operation: `GET ${ONE}`, succeeds: [{ ids: [FIRST] }], fails: [{ ids: [NOBODY] }] },
  { operation: `GET ${ONE}/states`, succeeds: [{ ids: [FIRST] }], fails: [{ ids: [NOBODY] }] },
  { operation: `GET ${ONE}/states/count`, succeeds: [{ ids: [FIRST] }], fails: [{ ids: [NOBODY] }] },
  { operation: `GET ${ONE}/states/:stateId`, succeeds: [{ ids: [FIRST, FIRST] }], fails: [{ ids: [FIRST, NOBODY] }] },
]
