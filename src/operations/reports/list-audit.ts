import { z } from 'zod'
import { auditFilters, auditPage } from '../../contract/administration.ts'
import { readAuditPage } from '../shared/audit-page.ts'
import { defineOperation } from '../shared/operation.ts'

/** Every login with the organisation's credential among them: it can speak for any member (S4). */
export const listAudit = defineOperation({
  name: 'list-audit',
  summary: 'What was done in the organisation and by whom, newest first.',
  input: z.strictObject(auditFilters),
  output: auditPage,
  run: ({ action, ...page }, { organisationId }, deps) => readAuditPage({ organisationId, action }, page, deps),
})
