import { test } from 'vitest'
import { beforeSending, expectWholeDespiteKill } from './kill-windows.ts'
import { killSubject } from './subjects.ts'

// Every window and every component: windows.long.test.ts.
const brands = killSubject('brands')

test(`${beforeSending.story}: ${brands.component}`, () =>
  // The service is the only host, which saves a process.
  expectWholeDespiteKill(beforeSending, brands, { catalogueOnly: true, separateHost: false, processes: true }))
