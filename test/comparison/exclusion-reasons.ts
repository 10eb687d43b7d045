/** Table, then field, then the reason. */
export type Exclusions = Readonly<Record<string, Readonly<Record<string, string>>>>

export const ownId = 'every store gives its own ids'

export const platformDate = 'the platform writes down when this store did it'

export function reasonsOfMetafields(owner: string): Record<string, string> {
  return {
    id: ownId,
    owner_client_id: 'each store knows the API account that copies by another id',
    resource_type: `follows from the table: always ${owner}`,
    date_created: platformDate,
    date_modified: platformDate,
  }
}
