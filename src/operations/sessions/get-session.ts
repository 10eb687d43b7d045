import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { sessionDetail } from '../../contract/accounts/session.ts'
import { limits } from '../../contract/primitives/limits.ts'
import { listMemberships } from '../../db/accounts/sessions.ts'
import { defineOperation } from '../shared/operation.ts'

export const getSession = defineOperation<Record<string, never>, z.infer<typeof sessionDetail>, SignedIn>({
  name: 'get-session',
  summary: 'The signed-in person and their organisations.',
  input: z.strictObject({}),
  output: sessionDetail,
  async run(
    _,
    { user: { isAdministrator, ...user }, hasSecondStep, startedAt, generation },
    { database, settings, storeApp },
  ) {
    const memberships = await listMemberships(database, { userId: user.id, generation })
    // Organisations without Store Migration are always listed, even if this session is no longer valid for the
    // membership.
    const shown = memberships.filter(({ isCurrent, storeMigrationEnabled }) => isCurrent || !storeMigrationEnabled)
    return {
      user,
      isAdministrator,
      secondStepMissing: isAdministrator && settings.administratorSecondStep && !hasSecondStep,
      secondStep: hasSecondStep,
      organizations: shown.map(({ organisationId, organisationName, role, storeMigrationEnabled, owners }) => ({
        id: organisationId,
        name: organisationName,
        role,
        storeMigrationEnabled,
        owners,
      })),
      connectsByApp: storeApp !== undefined,
      expiresAt: new Date(startedAt.getTime() + limits.sessionSeconds * 1000).toISOString(),
    }
  },
})
