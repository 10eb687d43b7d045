import { client, orThrow } from './client.ts'
import type { operations } from './schema.d.ts'

type Connection = NonNullable<operations['add-store']['requestBody']>['content']['application/json']
export type ConnectedStore = operations['add-store']['responses'][201]['content']['application/json']

const at = (hash: string) => ({ params: { path: { hash } } })

/** What owners do to the stores of the organization. */
export const storeActions = {
  connect: (body: Connection): Promise<ConnectedStore> => orThrow(client.POST('/v2/stores', { body })),
  label: (hash: string, label: string) => orThrow(client.PATCH('/v2/stores/{hash}', { ...at(hash), body: { label } })),
  disconnect: (hash: string, leaveSwitchedOff: boolean) =>
    orThrow(client.DELETE('/v2/stores/{hash}', { ...at(hash), body: { leaveSwitchedOff } })),
}
