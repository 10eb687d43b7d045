import type { z } from 'zod'
import { rotateCredential as rotate } from '../../accounts/api-credentials.ts'
import type { Administrator } from '../../accounts/caller.ts'
import { issuedCredentialOutput, organisationInput } from '../../contract/accounts/administration.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationInput>

export const rotateCredential = defineOperation<Input, z.infer<typeof issuedCredentialOutput>, Administrator>({
  name: 'rotate-credential',
  summary: 'Give the API credential a new secret. The old secret and every bearer token become invalid at once.',
  input: organisationInput,
  output: issuedCredentialOutput,
  needsProof: () => true,
  async run({ organisation }, administrator, deps) {
    const { id } = await requireOrganisation(deps.database, organisation)
    return rotate(id, administrator, deps)
  },
})
