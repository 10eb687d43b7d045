import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { includesPermission } from '../../contract/accounts/permissions.ts'
import { listMemberships } from '../../db/accounts/sessions.ts'
import { panelScopes } from '../../entities/token-scopes.ts'
import { defineOperation } from '../shared/operation.ts'
import { checkInstalled, requireStoreApp, requireUnclaimed } from './app-installation.ts'

const input = z.strictObject({ key: z.string().max(100) })
const output = z.strictObject({
  hash: z.string(),
  name: z.string(),
  domain: z.string(),
  missingScopes: z.array(z.string()).describe('Scopes that a copy needs, by their names in the control panel.'),
  organisations: z
    .array(z.strictObject({ id: z.string(), name: z.string() }))
    .describe('Those to which the person may connect a store.'),
})

export const describeInstallation = defineOperation<z.infer<typeof input>, z.infer<typeof output>, SignedIn>({
  name: 'describe-installation',
  summary: 'Which store a link is for, read live, and to which of their organisations a person may connect it.',
  input,
  output,
  async run({ key }, { user, generation }, deps) {
    requireStoreApp(deps)
    const { information, missingScopes, hash } = await checkInstalled(
      await requireUnclaimed(deps.database, key, deps),
      deps,
    )
    const memberships = await listMemberships(deps.database, { userId: user.id, generation })
    const { name, domain } = information
    return {
      hash,
      name,
      domain,
      missingScopes: panelScopes.filter(({ read }) => missingScopes.includes(read)).map((scope) => scope.name),
      organisations: memberships
        .filter(({ storeMigrationEnabled, isCurrent }) => storeMigrationEnabled && isCurrent)
        .filter(({ role }) => includesPermission(role, 'store.manage'))
        .map(({ organisationId, organisationName }) => ({ id: organisationId, name: organisationName })),
    }
  },
})
