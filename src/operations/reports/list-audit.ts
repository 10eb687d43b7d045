import { z } from 'zod'
import { auditFilters, auditOfUser, auditPage } from '../../contract/accounts/administration.ts'
import { readAuditPage } from '../shared/audit-page.ts'
import { defineOperation } from '../shared/operation.ts'

/** Includes every login with the organisation's credential, which can log in as any member (S4). */
export const listAudit = defineOperation({
  name: 'list-audit',
  summary: 'The audit log of the organisation, newest first.',
  input: z.strictObject({ ...auditOfUser, ...auditFilters }),
  output: auditPage,
  run: (asked, { organisationId }, deps) => readAuditPage({ organisationId }, asked, deps),
})
