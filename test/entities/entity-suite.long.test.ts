import { testEachAlone, testEntities } from './entity-suite.ts'

testEachAlone('tiny', true)
for (const { seed, clean } of [
  { seed: 'small', clean: true },
  { seed: 'awkward', clean: false },
] as const) {
  testEntities(seed, clean)
  testEachAlone(seed, clean)
}
