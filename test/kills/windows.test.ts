import { test } from 'vitest'
import { beforeSending, beforeTheAnswer, expectWholeDespiteKill } from './kill-windows.ts'
import { brands, products } from './subjects.ts'

// Every window and every component: windows.long.test.ts.
test.each([
  { window: beforeSending, subject: brands },
  { window: beforeTheAnswer, subject: products },
])('$window.story: $subject.component', ({ window, subject }) =>
  // The service is the only host: one process less.
  expectWholeDespiteKill(window, subject, { catalogueOnly: true, separateHost: false, processes: true }))
