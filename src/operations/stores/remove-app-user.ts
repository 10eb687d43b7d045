import { z } from 'zod'
import type { Visitor } from '../../accounts/caller.ts'
import { defineOperation } from '../shared/operation.ts'
import { requireStoreApp } from './app-installation.ts'

const input = z.strictObject({ payload: z.string().max(10_000) })

/** The app has no users of its own: people sign in here, whatever they may do in the store. So nothing is to be removed. */
export const removeAppUser = defineOperation<z.infer<typeof input>, undefined, Visitor>({
  name: 'remove-app-user',
  summary: 'Acknowledge that a user of a store may no longer open the app there.',
  input,
  output: z.undefined(),
  async run({ payload }, _, deps) {
    await requireStoreApp(deps).verify(payload)
    return undefined
  },
})
