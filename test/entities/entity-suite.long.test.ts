import { tellEachAlone, tellEntities } from './entity-suite.ts'

tellEachAlone('tiny', true)
for (const { seed, clean } of [
  { seed: 'small', clean: true },
  { seed: 'awkward', clean: false },
] as const) {
  tellEntities(seed, clean)
  tellEachAlone(seed, clean)
}
