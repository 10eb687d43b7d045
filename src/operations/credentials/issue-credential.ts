import type { z } from 'zod'
import { issueCredential as issue } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { issuedCredentialOutput, organisationInput } from '../../contract/accounts/administration.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationInput>

export const issueCredential = defineOperation<Input, z.infer<typeof issuedCredentialOutput>, Administrator>({
  name: 'issue-credential',
  summary: 'Generate an API credential, or re-enable a disabled one with a new secret. The secret is shown only once.',
  input: organisationInput,
  output: issuedCredentialOutput,
  needsProof: () => true,
  async run({ organisation }, administrator, deps) {
    const { id } = await requireOrganisation(deps.database, organisation)
    return issue(id, administrator, deps)
  },
})
