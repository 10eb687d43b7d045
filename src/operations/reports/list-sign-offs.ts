import type { Keyring } from '../../accounts/encryption.ts'
import { oneMigrationInput } from '../../contract/migration-request.ts'
import { type SignOff, signOffs } from '../../contract/sign-offs.ts'
import { listSignOffs as listSignOffRows, type SignOffRow } from '../../db/reports/sign-offs.ts'
import { findRun } from '../../db/runs/runs.ts'
import { orNotFound } from '../shared/find-migration.ts'
import { defineOperation } from '../shared/operation.ts'
import { sealRowId } from '../shared/row-ids.ts'

export const listSignOffs = defineOperation({
  name: 'list-sign-offs',
  summary: 'Who signed a copy off, on which comparison, newest first.',
  input: oneMigrationInput,
  output: signOffs,
  async run({ id }, { organisationId }, { database, keyring }) {
    const run = orNotFound(await findRun(database, organisationId, id), id)
    return { items: (await listSignOffRows(database, run)).map((row) => signOffOf(keyring, row)) }
  },
})

export function signOffOf(keyring: Keyring, { id, comparisonId, at, ...row }: SignOffRow): SignOff {
  return { ...row, id: sealRowId(keyring, 'sign-offs', id), comparison: comparisonId, at: at.toISOString() }
}
