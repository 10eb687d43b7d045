import { z } from 'zod'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { listRunEvents } from '../../db/reports/run-summaries.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'

/** A run has two events per phase and one per control. Only endless take-overs cause more than this. */
const eventsShown = 500

export const getRunTimeline = defineOperation({
  name: 'get-run-timeline',
  summary: 'What happened to a run, in order: creation, start, phases, controls, take-overs, end.',
  input: oneMigrationInput,
  output: z.strictObject({
    events: z.array(
      z.strictObject({
        at: z.iso.datetime(),
        event: z.string(),
        phase: z.string().nullable(),
        reason: z.string().nullable(),
        by: z.string().nullable().describe('Who asked for it; null for what the service did by itself.'),
      }),
    ),
  }),
  async run({ id }, { organisationId }, { database }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    const events = await listRunEvents(database, run, eventsShown)
    return { events: events.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest })) }
  },
})
