import type { Administrator } from './accounts/caller.ts'
import { newLinkToken } from './accounts/one-time-links.ts'
import { createSigningKeys } from './accounts/signing-keys.ts'
import { administratorExists } from './db/accounts/administrators.ts'
import { createAdministrator } from './operations/administration/create-administrator.ts'
import { createOrganisation } from './operations/administration/create-organisation.ts'
import { enableStoreMigration } from './operations/administration/enable-store-migration.ts'
import { listOrganisations } from './operations/administration/list-organisations.ts'
import { removeSecondStep } from './operations/administration/remove-second-step.ts'
import { removeStoreMigration } from './operations/administration/remove-store-migration.ts'
import { disableCredential } from './operations/credentials/disable-credential.ts'
import { issueCredential } from './operations/credentials/issue-credential.ts'
import { rotateCredential } from './operations/credentials/rotate-credential.ts'
import type { Deps, Operation } from './operations/shared/operation.ts'
import { perform } from './operations/shared/perform.ts'
import { connectStore } from './operations/stores/connect-store.ts'

/** What platform administrators can do. The command line has no signed-in user, and the audit says so. */
export interface Administration {
  hasAdministrator(): Promise<boolean>
  /** Link that makes the person who opens it the first administrator. Works once, for half an hour (S11). Never log it. */
  firstAdministratorLink(): Promise<string>
  createAdministrator: BoundOperation<typeof createAdministrator>
  createOrganisation: BoundOperation<typeof createOrganisation>
  listOrganisations: BoundOperation<typeof listOrganisations>
  enableStoreMigration: BoundOperation<typeof enableStoreMigration>
  removeStoreMigration: BoundOperation<typeof removeStoreMigration>
  connectStore: BoundOperation<typeof connectStore>
  issueCredential: BoundOperation<typeof issueCredential>
  removeSecondStep: BoundOperation<typeof removeSecondStep>
  rotateCredential: BoundOperation<typeof rotateCredential>
  disableCredential: BoundOperation<typeof disableCredential>
  /** Makes a new key sign bearer tokens. If compromised, tokens signed with the old ones become void at once (S7). */
  rotateSigningKey(options: { compromised: boolean }): Promise<{ kid: string }>
}
type BoundOperation<Of> =
  Of extends Operation<infer Input, infer Output, Administrator> ? (input: Input) => Promise<Output> : never

export const noAdministrator: Administrator = { userId: null }

export function administrationOf(deps: Deps): Administration {
  function ask<Input, Output>(operation: Operation<Input, Output, Administrator>): (input: Input) => Promise<Output> {
    return async (input) => (await perform(operation, input, noAdministrator, deps)).output
  }
  return {
    hasAdministrator: () => administratorExists(deps.database),
    firstAdministratorLink: () => firstAdministratorLink(deps),
    createAdministrator: ask(createAdministrator),
    createOrganisation: ask(createOrganisation),
    listOrganisations: ask(listOrganisations),
    enableStoreMigration: ask(enableStoreMigration),
    removeStoreMigration: ask(removeStoreMigration),
    connectStore: ask(connectStore),
    issueCredential: ask(issueCredential),
    removeSecondStep: ask(removeSecondStep),
    rotateCredential: ask(rotateCredential),
    disableCredential: ask(disableCredential),
    rotateSigningKey: (options) => createSigningKeys(deps).rotate(noAdministrator, options),
  }
}

async function firstAdministratorLink({ database, clock, settings }: Deps): Promise<string> {
  const { token } = await newLinkToken(database, clock, { purpose: 'first-administrator', userId: null })
  return `${settings.siteUrl}/app/first-administrator#${token}`
}
