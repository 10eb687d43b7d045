import { client, orThrow } from './client.ts'
import type { Body } from './queries.ts'

export interface IssuedCredential {
  clientId: string
  clientSecret: string
}

export type NewOrganization = Body<'create-organisation'>
export type NewMember = Body<'appoint-member'>
type NewStore = Body<'connect-store'>
type NewAdministrator = Body<'create-administrator'>

const at = (organisation: string) => ({ params: { path: { organisation } } })

/** What administrators do to an organization, by its id. */
export const administration = {
  enable: (id: string) => orThrow(client.POST('/admin/api/organisations/{organisation}/store-migration', at(id))),
  remove: (id: string) => orThrow(client.DELETE('/admin/api/organisations/{organisation}/store-migration', at(id))),
  issue: (id: string): Promise<IssuedCredential> =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/credential', at(id))),
  rotate: (id: string): Promise<IssuedCredential> =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/credential/rotate', at(id))),
  disable: (id: string) => orThrow(client.POST('/admin/api/organisations/{organisation}/credential/disable', at(id))),
  create: (body: NewOrganization) => orThrow(client.POST('/admin/api/organisations', { body })),
  createAdministrator: (body: NewAdministrator) => orThrow(client.POST('/admin/api/administrators', { body })),
  passwordLink: (email: string) => orThrow(client.POST('/admin/api/reset-links', { body: { email } })),
  connect: (id: string, body: NewStore) =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/stores', { ...at(id), body })),
  cancel: (id: string) => orThrow(client.POST('/admin/api/migrations/{id}/cancel', { params: { path: { id } } })),
  appoint: (id: string, body: NewMember) =>
    orThrow(client.POST('/admin/api/organisations/{organisation}/members', { ...at(id), body })),
}
