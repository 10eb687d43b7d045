import { z } from 'zod'
import { ServiceError } from '../../contract/service-error.ts'
import { getMigration } from '../../operations/migrations/get-migration.ts'
import { componentSorts, listComponents } from '../../operations/migrations/list-components.ts'
import { listPhases } from '../../operations/migrations/list-phases.ts'
import { componentShape, phaseShape } from '../phase-shape.ts'
import { listOf, page, runId, text } from '../shapes.ts'
import { defineTool } from '../tool.ts'

const phase = z.string().max(64).describe('Phase key from list_run_phases')
const counts = z.record(z.string(), z.int())
const onlyWithFailures = z.boolean().default(false)

export const listRunPhases = defineTool({
  name: 'list_run_phases',
  title: 'List run phases',
  about: 'The phases of a run, one row each, with their counts.',
  subject: 'run',
  input: z.strictObject({ run_id: runId, only_with_failures: onlyWithFailures, ...page }),
  output: listOf('phases', phaseShape),
  async answer({ run_id: id, only_with_failures: failing, limit, cursor }, { read }) {
    const { items, nextCursor } = await read(listPhases, { id, onlyWithFailures: failing, limit, cursor })
    return { phases: items, nextCursor }
  },
})

export const getRunPhase = defineTool({
  name: 'get_run_phase',
  title: 'Get run phase',
  about: 'One phase of a run with its components.',
  subject: 'run',
  input: z.strictObject({ run_id: runId, phase }),
  output: phaseShape.extend({ components: z.array(z.strictObject({ key: text, label: text, counts })) }),
  async answer({ run_id: id, phase: key }, { read }) {
    const { phases } = await read(getMigration, { id })
    const found = phases.find((one) => one.key === key)
    if (!found) {
      const errors = { phase: [`No such phase; this migration has ${phases.map((one) => one.key).join(', ')}.`] }
      throw new ServiceError('validation_failed', 'The request is not valid; see "errors".', { errors })
    }
    const { components, ...sums } = found
    return {
      ...sums,
      components: components.map(({ key: own, label, ...rest }) => ({ key: own, label, counts: rest })),
    }
  },
})

export const listRunComponents = defineTool({
  name: 'list_run_components',
  title: 'List run components',
  about: 'Components of a run across its phases, filtered and sorted (most first).',
  subject: 'run',
  input: z.strictObject({
    run_id: runId,
    phase: phase.optional(),
    sort_by: z.enum(componentSorts).default('order'),
    only_with_failures: onlyWithFailures,
    ...page,
  }),
  output: listOf('components', componentShape.extend({ phase: text })),
  async answer({ run_id: id, sort_by: sortBy, only_with_failures: failing, ...rest }, { read }) {
    const { items, nextCursor } = await read(listComponents, { id, sortBy, onlyWithFailures: failing, ...rest })
    return { components: items, nextCursor }
  },
})
