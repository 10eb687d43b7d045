import { test } from 'vitest'
import { expectRunGoesOnElsewhere } from './rolling-upgrade.ts'

// Three hosts and a whole store: rolling-upgrade.long.test.ts.
test('A3: two hosts are drained and replaced in turn while a run works: it goes on elsewhere, sends nothing twice and loses nothing', () =>
  expectRunGoesOnElsewhere(2, { catalogueOnly: true }))
