import { test } from 'vitest'
import { expectRunGoesOnElsewhere } from './rolling-upgrade.ts'

test('A3: three hosts are drained and replaced in turn while a whole store is copied: nothing is sent twice and nothing is lost', () =>
  expectRunGoesOnElsewhere(3))
