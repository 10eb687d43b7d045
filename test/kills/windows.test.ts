import { test } from 'vitest'
import { beforeSending, beforeTheAnswer, expectWholeDespiteKill } from './kill-windows.ts'
import { brands, products } from './subjects.ts'

// Every window and every component: windows.long.test.ts.
for (const { window, subject } of [
  { window: beforeSending, subject: brands },
  { window: beforeTheAnswer, subject: products },
])
  test(`${window.story}: ${subject.component}`, () =>
    // The service is the only host: one process less.
    expectWholeDespiteKill(window, subject, { catalogueOnly: true, separateHost: false, processes: true }))
