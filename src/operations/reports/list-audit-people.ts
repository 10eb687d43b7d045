import { z } from 'zod'
import { auditPeople } from '../../contract/accounts/administration.ts'
import { listAuditPeople as listAuditPeopleRows } from '../../db/accounts/audit.ts'
import { defineOperation } from '../shared/operation.ts'

export const listAuditPeople = defineOperation({
  name: 'list-audit-people',
  summary: 'Who is in the audit log of the organisation, by name: the choices for `user`.',
  input: z.strictObject({}),
  output: auditPeople,
  run: async (_, { organisationId }, { database }) => ({ items: await listAuditPeopleRows(database, organisationId) }),
})
