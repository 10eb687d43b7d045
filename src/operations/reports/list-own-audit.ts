import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { auditFilters, auditPage } from '../../contract/accounts/administration.ts'
import { readAuditPage } from '../shared/audit-page.ts'
import { defineOperation } from '../shared/operation.ts'

const input = z.strictObject(auditFilters)

export const listOwnAudit = defineOperation<z.infer<typeof input>, z.infer<typeof auditPage>, SignedIn>({
  name: 'list-own-audit',
  summary: 'The audit log of the signed-in user, including logins with an API credential.',
  input,
  output: auditPage,
  run: (asked, { user }, deps) => readAuditPage({ actorUserId: user.id }, asked, deps),
})
