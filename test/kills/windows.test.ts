import { test } from 'vitest'
import { beforeTheAnswer, expectWholeDespiteKill } from './kill-windows.ts'
import { killSubject } from './subjects.ts'

// Every window and every component: windows.long.test.ts.
const products = killSubject('products')

test(`${beforeTheAnswer.story}: ${products.component}`, () =>
  // The service is the only host, which saves a process.
  expectWholeDespiteKill(beforeTheAnswer, products, { catalogueOnly: true, separateHost: false, processes: true }))
