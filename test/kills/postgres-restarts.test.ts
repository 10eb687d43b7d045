import { test } from 'vitest'
import { expectWholeDespiteRestarts } from './postgres-restarts.ts'

// A hundred of them: postgres-restarts.long.test.ts.
test('A4, B1: a run during which PostgreSQL is killed and restarted three times loses nothing and creates nothing twice', () =>
  expectWholeDespiteRestarts(3))
