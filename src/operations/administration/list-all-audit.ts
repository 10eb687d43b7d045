import { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { auditFilters, auditOfUser, auditPage } from '../../contract/accounts/administration.ts'
import { readAuditPage } from '../shared/audit-page.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

const input = z.strictObject({
  organisation: z.string().max(255).optional().describe('Name or id.'),
  ...auditOfUser,
  ...auditFilters,
})

export const listAllAudit = defineOperation<z.infer<typeof input>, z.infer<typeof auditPage>, Administrator>({
  name: 'list-all-audit',
  summary: 'The audit log of all organisations, or of one, newest first.',
  input,
  output: auditPage,
  async run({ organisation, ...asked }, _, deps) {
    const named = organisation === undefined ? undefined : await requireOrganisation(deps.database, organisation)
    return readAuditPage({ organisationId: named?.id }, asked, deps)
  },
})
