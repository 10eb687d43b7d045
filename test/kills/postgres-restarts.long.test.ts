import { test } from 'vitest'
import { timeout } from './moments.ts'
import { expectWholeDespiteRestarts } from './postgres-restarts.ts'

test(
  'A4, B1: a run during which PostgreSQL is killed and restarted a hundred times loses nothing and creates nothing twice',
  {
    timeout,
  },
  () => expectWholeDespiteRestarts(100),
)
