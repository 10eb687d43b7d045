import { forecastInput } from '../contract/forecast.ts'
import { forecast as forecastShape } from '../contract/migration.ts'
import { priceScope } from '../engine/price-runs.ts'
import { defineOperation } from './operation.ts'
import { findPair, phasesInScope } from './run-scope.ts'

/** Asks the stores while the caller waits, 10 s at most, and stores nothing. */
export const forecast = defineOperation({
  name: 'forecast',
  summary: 'What a migration would take, without creating one.',
  input: forecastInput,
  output: forecastShape,
  async run(input, { organisationId }, deps) {
    const phases = phasesInScope(input.entities)
    const stores = await findPair(deps.database, organisationId, input)
    return priceScope(deps, { mode: input.mode, strategy: input.conflictStrategy, phases }, stores)
  },
})
