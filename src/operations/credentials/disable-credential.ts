import type { z } from 'zod'
import { disableCredential as disable } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { disabledCredentialOutput, organisationInput } from '../../contract/accounts/administration.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationInput>

export const disableCredential = defineOperation<Input, z.infer<typeof disabledCredentialOutput>, Administrator>({
  name: 'disable-credential',
  summary: 'Turn API access off; every bearer token becomes invalid at once.',
  input: organisationInput,
  output: disabledCredentialOutput,
  needsProof: () => true,
  async run({ organisation }, administrator, deps) {
    const { id } = await requireOrganisation(deps.database, organisation)
    return disable(id, administrator, deps)
  },
})
