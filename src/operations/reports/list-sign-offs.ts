import { oneMigrationInput } from '../../contract/migration-request.ts'
import { type SignOff, signOffs } from '../../contract/sign-offs.ts'
import { listSignOffs as listSignOffRows, type SignOffRow } from '../../db/reports/sign-offs.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'

export const listSignOffs = defineOperation({
  name: 'list-sign-offs',
  summary: 'Who signed a copy off, on which comparison, newest first.',
  input: oneMigrationInput,
  output: signOffs,
  async run({ id }, { organisationId }, { database }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    return { items: (await listSignOffRows(database, run)).map(signOffOf) }
  },
})

export function signOffOf({ id, comparisonId, at, ...row }: SignOffRow): SignOff {
  return { ...row, id: String(id), comparison: comparisonId, at: at.toISOString() }
}
