import { z } from 'zod'
import type { SignedIn } from '../../accounts/caller.ts'
import { confirmPerson } from '../../accounts/people.ts'
import { ServiceError } from '../../contract/service-error.ts'
import { recordAudit } from '../../db/accounts/audit.ts'
import { deleteBearerToken } from '../../db/accounts/bearer-tokens.ts'
import { isUuid } from '../../db/runs/runs.ts'
import { defineOperation } from '../shared/operation.ts'

const input = z.strictObject({ id: z.string() })

export const endToken = defineOperation<z.infer<typeof input>, undefined, SignedIn>({
  name: 'end-token',
  summary: 'End one bearer token of the signed-in user. The credential can get another one until it is rotated.',
  input,
  output: z.undefined(),
  async run({ id }, by, { database, clock }) {
    const { user } = by
    await database.transaction().execute(async (transaction) => {
      await confirmPerson(transaction, by)
      const organisationId = isUuid(id) ? await deleteBearerToken(transaction, { id, userId: user.id }) : undefined
      if (organisationId === undefined) throw new ServiceError('not_found', 'You have no bearer token with this id.')
      const entry = { organisationId, actorUserId: user.id, actor: 'user' as const, details: { tokenId: id } }
      await recordAudit(transaction, { ...entry, action: 'token.end', at: clock.now() })
    })
  },
})
