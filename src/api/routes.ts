import { addMember } from '../operations/add-member.ts'
import { addStore } from '../operations/add-store.ts'
import { appointMember } from '../operations/appoint-member.ts'
import { browseCatalog } from '../operations/browse-catalog.ts'
import { cancel } from '../operations/cancel.ts'
import { changeMember } from '../operations/change-member.ts'
import { changePassword } from '../operations/change-password.ts'
import { connectStore } from '../operations/connect-store.ts'
import { countCatalog } from '../operations/count-catalog.ts'
import { createAdministrator } from '../operations/create-administrator.ts'
import { createMigration } from '../operations/create-migration.ts'
import { createOrganisation } from '../operations/create-organisation.ts'
import { disableCredential } from '../operations/disable-credential.ts'
import { disconnectStore } from '../operations/disconnect-store.ts'
import { dismissIssue } from '../operations/dismiss-issue.ts'
import { dismissIssues } from '../operations/dismiss-issues.ts'
import { enableStoreMigration } from '../operations/enable-store-migration.ts'
import { forecast } from '../operations/forecast.ts'
import { getCapacity } from '../operations/get-capacity.ts'
import { getCatalogItem } from '../operations/get-catalog-item.ts'
import { getMigration } from '../operations/get-migration.ts'
import { getMigrationRequest } from '../operations/get-migration-request.ts'
import { getSession } from '../operations/get-session.ts'
import { getStore } from '../operations/get-store.ts'
import { heal } from '../operations/heal.ts'
import { inviteMember } from '../operations/invite-member.ts'
import { issueCredential } from '../operations/issue-credential.ts'
import { labelStore } from '../operations/label-store.ts'
import { listAllAudit } from '../operations/list-all-audit.ts'
import { listAllMigrations } from '../operations/list-all-migrations.ts'
import { listAudit } from '../operations/list-audit.ts'
import { listBeforeImages } from '../operations/list-before-images.ts'
import { listDifferences } from '../operations/list-differences.ts'
import { listIssues } from '../operations/list-issues.ts'
import { listMappings } from '../operations/list-mappings.ts'
import { listMembers } from '../operations/list-members.ts'
import { listMigrations } from '../operations/list-migrations.ts'
import { listOrganisations } from '../operations/list-organisations.ts'
import { listOwnAudit } from '../operations/list-own-audit.ts'
import { listStorefronts } from '../operations/list-storefronts.ts'
import { listStores } from '../operations/list-stores.ts'
import { login } from '../operations/login.ts'
import type { RoutedOperation } from '../operations/operation.ts'
import { pause } from '../operations/pause.ts'
import { removeMember } from '../operations/remove-member.ts'
import { removeStoreMigration } from '../operations/remove-store-migration.ts'
import { resume } from '../operations/resume.ts'
import { rotateCredential } from '../operations/rotate-credential.ts'
import { signOut } from '../operations/sign-out.ts'
import { signOutEverywhere } from '../operations/sign-out-everywhere.ts'
import { verify } from '../operations/verify.ts'
import { watchMigration } from '../operations/watch-migration.ts'
import type { FileFormat } from './list-file.ts'

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:name` parts are keys of the operation's input; the other keys come from the query (GET) or the JSON body. */
  path: `/v2/${string}` | `/admin/api/${string}`
  operation: RoutedOperation
  /**
   * `events` is 200 with server-sent events, the `Last-Event-ID` header becoming the input's `lastEventId`. A file is 200 with every page
   * of a list.
   */
  answer: 200 | 201 | 202 | 204 | 'events' | { file: FileFormat }
  /** The `Idempotency-Key` header becomes the input's `idempotencyKey`. */
  idempotent?: true
}

const ofTheItem = ['item.sourceId', 'item.name', 'item.sku', 'item.path', 'destinationId']
const issueColumns = [
  ...['id', 'phase', 'component', 'severity', 'code', 'state', 'message', 'remedy'],
  ...ofTheItem,
  ...['platform.status', 'platform.title', 'attempts', 'firstAt', 'lastAt'],
]
const differenceColumns = ['id', 'phase', 'component', 'kind', ...ofTheItem, 'fields', 'living', 'changedMeanwhile']

/** The API: one line per operation, and one for each list that is a file as well. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v2/login', operation: login, answer: 200 },
  { method: 'GET', path: '/v2/session', operation: getSession, answer: 200 },
  { method: 'DELETE', path: '/v2/session', operation: signOut, answer: 204 },
  { method: 'DELETE', path: '/v2/sessions', operation: signOutEverywhere, answer: 200 },
  { method: 'POST', path: '/v2/session/password', operation: changePassword, answer: 200 },
  { method: 'GET', path: '/v2/session/audit', operation: listOwnAudit, answer: 200 },
  { method: 'GET', path: '/v2/members', operation: listMembers, answer: 200 },
  { method: 'POST', path: '/v2/members', operation: addMember, answer: 201 },
  { method: 'PATCH', path: '/v2/members/:userId', operation: changeMember, answer: 200 },
  { method: 'DELETE', path: '/v2/members/:userId', operation: removeMember, answer: 204 },
  { method: 'POST', path: '/v2/members/:userId/invitation', operation: inviteMember, answer: 201 },
  { method: 'GET', path: '/v2/audit', operation: listAudit, answer: 200 },
  { method: 'GET', path: '/v2/stores', operation: listStores, answer: 200 },
  { method: 'POST', path: '/v2/stores', operation: addStore, answer: 201 },
  { method: 'PATCH', path: '/v2/stores/:hash', operation: labelStore, answer: 200 },
  { method: 'DELETE', path: '/v2/stores/:hash', operation: disconnectStore, answer: 204 },
  { method: 'GET', path: '/v2/stores/:hash', operation: getStore, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/storefronts', operation: listStorefronts, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/catalog/:entity', operation: browseCatalog, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/catalog/:entity/:itemId', operation: getCatalogItem, answer: 200 },
  { method: 'POST', path: '/v2/counts', operation: countCatalog, answer: 200 },
  { method: 'POST', path: '/v2/forecast', operation: forecast, answer: 200 },
  { method: 'POST', path: '/v2/migrations', operation: createMigration, answer: 202, idempotent: true },
  { method: 'GET', path: '/v2/migrations', operation: listMigrations, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id', operation: getMigration, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/request', operation: getMigrationRequest, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/events', operation: watchMigration, answer: 'events' },
  { method: 'GET', path: '/v2/migrations/:id/mappings', operation: listMappings, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/before-images', operation: listBeforeImages, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/issues', operation: listIssues, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/differences', operation: listDifferences, answer: 200 },
  {
    method: 'GET',
    path: '/v2/migrations/:id/mappings.csv',
    operation: listMappings,
    answer: { file: { csv: ['component', 'storefronts', 'sourceId', 'destinationId', 'origin', 'owed'] } },
  },
  {
    method: 'GET',
    path: '/v2/migrations/:id/issues.csv',
    operation: listIssues,
    answer: { file: { csv: issueColumns } },
  },
  {
    method: 'GET',
    path: '/v2/migrations/:id/differences.csv',
    operation: listDifferences,
    answer: { file: { csv: differenceColumns } },
  },
  {
    method: 'GET',
    path: '/v2/migrations/:id/before-images.ndjson',
    operation: listBeforeImages,
    answer: { file: 'ndjson' },
  },
  { method: 'POST', path: '/v2/migrations/:id/pause', operation: pause, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/resume', operation: resume, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/cancel', operation: cancel, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/heal', operation: heal, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/issues/dismiss', operation: dismissIssues, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/issues/:issueId/dismiss', operation: dismissIssue, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/verify', operation: verify, answer: 202, idempotent: true },
  { method: 'POST', path: '/admin/api/administrators', operation: createAdministrator, answer: 201 },
  { method: 'GET', path: '/admin/api/organisations', operation: listOrganisations, answer: 200 },
  { method: 'POST', path: '/admin/api/organisations', operation: createOrganisation, answer: 201 },
  { method: 'POST', path: '/admin/api/organisations/:organisation/members', operation: appointMember, answer: 201 },
  { method: 'POST', path: '/admin/api/organisations/:organisation/stores', operation: connectStore, answer: 201 },
  {
    method: 'POST',
    path: '/admin/api/organisations/:organisation/store-migration',
    operation: enableStoreMigration,
    answer: 200,
  },
  {
    method: 'DELETE',
    path: '/admin/api/organisations/:organisation/store-migration',
    operation: removeStoreMigration,
    answer: 200,
  },
  {
    method: 'POST',
    path: '/admin/api/organisations/:organisation/credential',
    operation: issueCredential,
    answer: 201,
  },
  {
    method: 'POST',
    path: '/admin/api/organisations/:organisation/credential/rotate',
    operation: rotateCredential,
    answer: 200,
  },
  {
    method: 'POST',
    path: '/admin/api/organisations/:organisation/credential/disable',
    operation: disableCredential,
    answer: 200,
  },
  { method: 'GET', path: '/admin/api/audit', operation: listAllAudit, answer: 200 },
  { method: 'GET', path: '/admin/api/migrations', operation: listAllMigrations, answer: 200 },
  { method: 'GET', path: '/admin/api/capacity', operation: getCapacity, answer: 200 },
]
