import { test } from 'vitest'
import { beforeSending, beforeTheAnswer, expectWholeDespiteKill } from './kill-windows.ts'
import { killSubject } from './subjects.ts'

// Every window and every component: windows.long.test.ts.
for (const { window, subject } of [
  { window: beforeSending, subject: killSubject('brands') },
  { window: beforeTheAnswer, subject: killSubject('products') },
])
  test(`${window.story}: ${subject.component}`, () =>
    // The service is the only host, which saves a process.
    expectWholeDespiteKill(window, subject, { catalogueOnly: true, separateHost: false, processes: true }))
