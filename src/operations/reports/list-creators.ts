import { z } from 'zod'
import { creators } from '../../contract/history.ts'
import { listCreators as listCreatorRows } from '../../db/reports/run-summaries.ts'
import { defineOperation } from '../shared/operation.ts'

export const listCreators = defineOperation({
  name: 'list-creators',
  summary: 'Who has created migrations of the organisation, by name: the choices for `createdBy`.',
  input: z.strictObject({}),
  output: creators,
  run: async (_, { organisationId }, { database }) => ({ items: await listCreatorRows(database, organisationId) }),
})
