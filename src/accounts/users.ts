import { ServiceError } from '../contract/service-error.ts'
import { insertUser, type UserRow } from '../db/accounts/users.ts'
import type { InTransaction } from '../db/core/database.ts'
import { emailKey } from './name-key.ts'

/**
 * @param path of the email field, for the message
 * @throws ServiceError `validation_failed` if the email is already registered
 */
export async function insertNewUser(
  database: InTransaction,
  user: UserRow & { passwordHash: string | null; isAdministrator: boolean },
  path: string,
): Promise<void> {
  if (await insertUser(database, { ...user, emailKey: emailKey(user.email) })) return
  throw new ServiceError('validation_failed', 'This email is already registered; see errors.', {
    errors: { [path]: ['Already registered. Use another address.'] },
  })
}
