import { type Adapter, type AdapterFactory, type AdapterPayload, errors } from 'oidc-provider'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/core/database.ts'
import {
  consumeRecord,
  deleteGrant,
  deleteRecord,
  findRecord,
  findRecordByUid,
  type OauthPayload,
  saveRecord,
} from '../db/oauth/oauth-records.ts'

/** oidc-provider's storage in our database. Its `jti` is the record's id, which is never stored in plain text. */
export function createAdapters({ database, clock }: { database: Database; clock: Clock }): AdapterFactory {
  return (model: string): Adapter => {
    async function find(id: string): Promise<AdapterPayload | undefined> {
      const found = await findRecord(database, model, id, clock.now())
      return found && revived(found, hasJti(model) ? { jti: id } : {})
    }

    return {
      async upsert(id, { jti: _, ...payload }, expiresIn) {
        const at = clock.now()
        const expiresAt = expiresIn ? new Date(at.getTime() + expiresIn * 1000) : null
        await saveRecord(database, { model, id, payload: payload as OauthPayload, expiresAt, at })
      },
      find,
      async findByUid(uid) {
        const found = await findRecordByUid(database, model, uid, clock.now())
        return found && revived(found, {})
      },
      findByUserCode: () => Promise.resolve(undefined),
      async consume(id) {
        if (await consumeRecord(database, model, id, clock.now())) return
        // Another request used it after the library checked it.
        throw new errors.InvalidGrant(`${model} already used`)
      },
      destroy: (id) => deleteRecord(database, model, id),
      revokeByGrantId: (grantId) => deleteGrant(database, grantId),
    }
  }
}

/** The record of a client is just its metadata. */
function hasJti(model: string): boolean {
  return model !== 'Client'
}

function revived({ payload, consumedAt }: { payload: OauthPayload; consumedAt: Date | null }, id: { jti?: string }) {
  const consumed = consumedAt === null ? {} : { consumed: Math.floor(consumedAt.getTime() / 1000) }
  return { ...payload, ...id, ...consumed } as AdapterPayload
}
