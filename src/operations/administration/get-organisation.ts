import type { z } from 'zod'
import type { Administrator } from '../../accounts/caller.ts'
import { organisationDetail, organisationInput } from '../../contract/accounts/administration.ts'
import { listOrganisations } from '../../db/accounts/organisations.ts'
import { listStores } from '../../db/accounts/stores.ts'
import { describeConnected } from '../shared/connected-store.ts'
import { defineOperation } from '../shared/operation.ts'
import { describeOrganisation } from '../shared/organisation-entry.ts'
import { requireOrganisation } from '../shared/registered-organisation.ts'

type Input = z.infer<typeof organisationInput>

export const getOrganisation = defineOperation<Input, z.infer<typeof organisationDetail>, Administrator>({
  name: 'get-organisation',
  summary: 'An organisation with its API credential and its connected stores.',
  input: organisationInput,
  output: organisationDetail,
  async run({ organisation }, _, { database }) {
    const { id } = await requireOrganisation(database, organisation)
    const [row] = await listOrganisations(database, { id }, { after: null, limit: 1 })
    if (!row) throw new Error(`Organisation ${id} is gone after it was found.`)
    const stores = await listStores(database, id)
    return { ...describeOrganisation(row), connected: stores.map(describeConnected) }
  },
})
