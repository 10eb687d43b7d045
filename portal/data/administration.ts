import { client, orThrow } from './client.ts'
import type { operations } from './schema.d.ts'

export interface IssuedCredential {
  clientId: string
  clientSecret: string
}
type Body<Name extends keyof operations> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Content } }
}
  ? Content
  : never
export type NewOrganization = Body<'create-organisation'>
export type NewMember = Body<'appoint-member'>

const at = (organisation: string) => ({ params: { path: { organisation } } })

/** What an administrator does to an organization, by its id. */
export const administration = {
  enable: (id: string) => orThrow(client.POST('/admin/api/organisations/{organisation}/store-migration', at(id))),
  remove: (id: string) => orThrow(client.DELETE('/admin/api/organisations/{organisation}/store-migration', at(id))),
  issue: (id: string): Promise<IssuedCredential> =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/credential', at(id))),
  rotate: (id: string): Promise<IssuedCredential> =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/credential/rotate', at(id))),
  disable: (id: string) => orThrow(client.POST('/admin/api/organisations/{organisation}/credential/disable', at(id))),
  create: (body: NewOrganization) => orThrow(client.POST('/admin/api/organisations', { body })),
  appoint: (id: string, body: NewMember) =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/members', { ...at(id), body })),
}
