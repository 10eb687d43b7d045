import { cancelAnyMigration } from '../operations/administration/cancel-any-migration.ts'
import { createAdministrator } from '../operations/administration/create-administrator.ts'
import { createOrganisation } from '../operations/administration/create-organisation.ts'
import { createPersonResetLink } from '../operations/administration/create-person-reset-link.ts'
import { enableStoreMigration } from '../operations/administration/enable-store-migration.ts'
import { getAnyMigration } from '../operations/administration/get-any-migration.ts'
import { getCapacity } from '../operations/administration/get-capacity.ts'
import { getOrganisation } from '../operations/administration/get-organisation.ts'
import { listAdministrators } from '../operations/administration/list-administrators.ts'
import { listAllAudit } from '../operations/administration/list-all-audit.ts'
import { listAllMigrations } from '../operations/administration/list-all-migrations.ts'
import { listOrganisationMembers } from '../operations/administration/list-organisation-members.ts'
import { listOrganisations } from '../operations/administration/list-organisations.ts'
import { removeSecondStep } from '../operations/administration/remove-second-step.ts'
import { removeStoreMigration } from '../operations/administration/remove-store-migration.ts'
import { browseCatalog } from '../operations/catalog/browse-catalog.ts'
import { countCatalog } from '../operations/catalog/count-catalog.ts'
import { getCatalogItem } from '../operations/catalog/get-catalog-item.ts'
import { listEntities } from '../operations/catalog/list-entities.ts'
import { disableCredential } from '../operations/credentials/disable-credential.ts'
import { endToken } from '../operations/credentials/end-token.ts'
import { getCredentialStatus } from '../operations/credentials/get-credential-status.ts'
import { issueCredential } from '../operations/credentials/issue-credential.ts'
import { listTokens } from '../operations/credentials/list-tokens.ts'
import { rotateCredential } from '../operations/credentials/rotate-credential.ts'
import { dismissIssue } from '../operations/issues/dismiss-issue.ts'
import { dismissIssues } from '../operations/issues/dismiss-issues.ts'
import { getIssue } from '../operations/issues/get-issue.ts'
import { listIssues } from '../operations/issues/list-issues.ts'
import { reopenIssues } from '../operations/issues/reopen-issues.ts'
import { retryIssues } from '../operations/issues/retry-issues.ts'
import { countIssues, searchIssues } from '../operations/issues/search-issues.ts'
import { summariseIssues } from '../operations/issues/summarise-issues.ts'
import { addMember } from '../operations/members/add-member.ts'
import { appointMember } from '../operations/members/appoint-member.ts'
import { changeMember } from '../operations/members/change-member.ts'
import { createResetLink } from '../operations/members/create-reset-link.ts'
import { inviteMember } from '../operations/members/invite-member.ts'
import { listMembers } from '../operations/members/list-members.ts'
import { removeMember } from '../operations/members/remove-member.ts'
import { cancel } from '../operations/migrations/cancel.ts'
import { createMigration } from '../operations/migrations/create-migration.ts'
import { forecast } from '../operations/migrations/forecast.ts'
import { getMigration } from '../operations/migrations/get-migration.ts'
import { getMigrationRequest } from '../operations/migrations/get-migration-request.ts'
import { heal } from '../operations/migrations/heal.ts'
import { listMigrations } from '../operations/migrations/list-migrations.ts'
import { pause } from '../operations/migrations/pause.ts'
import { preflight } from '../operations/migrations/preflight.ts'
import { renameMigration } from '../operations/migrations/rename-migration.ts'
import { resume } from '../operations/migrations/resume.ts'
import { verify } from '../operations/migrations/verify.ts'
import { watchMigration } from '../operations/migrations/watch-migration.ts'
import { changeMailChoice } from '../operations/notifications/change-mail-choice.ts'
import { changeWebhook } from '../operations/notifications/change-webhook.ts'
import { createWebhook } from '../operations/notifications/create-webhook.ts'
import { deleteWebhook } from '../operations/notifications/delete-webhook.ts'
import { listDeliveries } from '../operations/notifications/list-deliveries.ts'
import { listMailChoices } from '../operations/notifications/list-mail-choices.ts'
import { listWebhooks } from '../operations/notifications/list-webhooks.ts'
import { redeliver } from '../operations/notifications/redeliver.ts'
import { rotateWebhookSecret } from '../operations/notifications/rotate-webhook-secret.ts'
import { testWebhook } from '../operations/notifications/test-webhook.ts'
import { compareItem } from '../operations/reports/compare-item.ts'
import { countDeletions } from '../operations/reports/count-deletions.ts'
import { countDifferences } from '../operations/reports/count-differences.ts'
import { dismissDifferences } from '../operations/reports/dismiss-differences.ts'
import { getItemHistory } from '../operations/reports/get-item-history.ts'
import { getRunTimeline } from '../operations/reports/get-run-timeline.ts'
import { listAudit } from '../operations/reports/list-audit.ts'
import { listAuditPeople } from '../operations/reports/list-audit-people.ts'
import { listBeforeImages } from '../operations/reports/list-before-images.ts'
import { listCreators } from '../operations/reports/list-creators.ts'
import { listDeletions } from '../operations/reports/list-deletions.ts'
import { listDifferences } from '../operations/reports/list-differences.ts'
import { listMappings } from '../operations/reports/list-mappings.ts'
import { listOwnAudit } from '../operations/reports/list-own-audit.ts'
import { listSignOffs } from '../operations/reports/list-sign-offs.ts'
import { reopenDifferences } from '../operations/reports/reopen-differences.ts'
import { signOff } from '../operations/reports/sign-off.ts'
import { beginSecondStep } from '../operations/sessions/begin-second-step.ts'
import { changeName } from '../operations/sessions/change-name.ts'
import { changePassword } from '../operations/sessions/change-password.ts'
import { confirmSecondStep } from '../operations/sessions/confirm-second-step.ts'
import { disconnectAssistant } from '../operations/sessions/disconnect-assistant.ts'
import { endSecondStep } from '../operations/sessions/end-second-step.ts'
import { endSession } from '../operations/sessions/end-session.ts'
import { getSecondStep } from '../operations/sessions/get-second-step.ts'
import { getSession } from '../operations/sessions/get-session.ts'
import { listAssistants } from '../operations/sessions/list-assistants.ts'
import { listSessions } from '../operations/sessions/list-sessions.ts'
import { login } from '../operations/sessions/login.ts'
import { reauthenticate } from '../operations/sessions/reauthenticate.ts'
import { renewRecoveryCodes } from '../operations/sessions/renew-recovery-codes.ts'
import { signOut } from '../operations/sessions/sign-out.ts'
import { signOutEverywhere } from '../operations/sessions/sign-out-everywhere.ts'
import type { RoutedOperation } from '../operations/shared/operation.ts'
import { addStore } from '../operations/stores/add-store.ts'
import { connectStore } from '../operations/stores/connect-store.ts'
import { disconnectStore } from '../operations/stores/disconnect-store.ts'
import { getStore } from '../operations/stores/get-store.ts'
import { labelStore } from '../operations/stores/label-store.ts'
import { listPageTemplates } from '../operations/stores/list-page-templates.ts'
import { listStorefronts } from '../operations/stores/list-storefronts.ts'
import { listStores } from '../operations/stores/list-stores.ts'
import type { FileFormat } from './list-file.ts'

export interface Route {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `:name` parts are keys of the operation's input; the other keys come from the query (GET) or the JSON body. */
  path: `/v2/${string}` | `/admin/api/${string}`
  operation: RoutedOperation
  /**
   * `events` is 200 with server-sent events; the header `Last-Event-ID` becomes the input's `lastEventId`. `file` is
   * 200 with all pages of a list.
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
const deletionColumns = [
  ...['id', 'phase', 'component', 'label', 'item.name', 'item.sku', 'item.path', 'destinationId'],
  ...['parentId', 'parentName', 'reason', 'state', 'at'],
]
const mappingColumns = [
  ...['component', 'storefronts', 'item.name', 'item.sku', 'sourceId', 'destinationId', 'origin', 'owed'],
]
const differenceColumns = [
  'id',
  'phase',
  'component',
  'kind',
  ...ofTheItem,
  'fields',
  'living',
  'changedMeanwhile',
  'kept',
  'state',
  'repairedBy',
]

/** The API: one line per operation, and one for each list that can also be downloaded as a file. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v2/login', operation: login, answer: 200 },
  { method: 'GET', path: '/v2/session', operation: getSession, answer: 200 },
  { method: 'PATCH', path: '/v2/session', operation: changeName, answer: 200 },
  { method: 'DELETE', path: '/v2/session', operation: signOut, answer: 204 },
  { method: 'GET', path: '/v2/sessions', operation: listSessions, answer: 200 },
  { method: 'DELETE', path: '/v2/sessions', operation: signOutEverywhere, answer: 200 },
  { method: 'DELETE', path: '/v2/sessions/:id', operation: endSession, answer: 204 },
  { method: 'POST', path: '/v2/session/password', operation: changePassword, answer: 200 },
  { method: 'POST', path: '/v2/session/reauthentication', operation: reauthenticate, answer: 204 },
  { method: 'GET', path: '/v2/session/second-step', operation: getSecondStep, answer: 200 },
  { method: 'POST', path: '/v2/session/second-step', operation: beginSecondStep, answer: 200 },
  { method: 'POST', path: '/v2/session/second-step/confirm', operation: confirmSecondStep, answer: 200 },
  { method: 'POST', path: '/v2/session/second-step/off', operation: endSecondStep, answer: 204 },
  { method: 'POST', path: '/v2/session/recovery-codes', operation: renewRecoveryCodes, answer: 200 },
  { method: 'GET', path: '/v2/session/audit', operation: listOwnAudit, answer: 200 },
  { method: 'GET', path: '/v2/assistants', operation: listAssistants, answer: 200 },
  { method: 'DELETE', path: '/v2/assistants/:id', operation: disconnectAssistant, answer: 204 },
  { method: 'GET', path: '/v2/credential', operation: getCredentialStatus, answer: 200 },
  { method: 'GET', path: '/v2/tokens', operation: listTokens, answer: 200 },
  { method: 'DELETE', path: '/v2/tokens/:id', operation: endToken, answer: 204 },
  { method: 'GET', path: '/v2/members', operation: listMembers, answer: 200 },
  { method: 'POST', path: '/v2/members', operation: addMember, answer: 201 },
  { method: 'PATCH', path: '/v2/members/:userId', operation: changeMember, answer: 200 },
  { method: 'DELETE', path: '/v2/members/:userId', operation: removeMember, answer: 204 },
  { method: 'POST', path: '/v2/members/:userId/invitation', operation: inviteMember, answer: 201 },
  { method: 'POST', path: '/v2/members/:userId/reset-link', operation: createResetLink, answer: 201 },
  { method: 'GET', path: '/v2/audit', operation: listAudit, answer: 200 },
  { method: 'GET', path: '/v2/audit/people', operation: listAuditPeople, answer: 200 },
  { method: 'GET', path: '/v2/webhooks', operation: listWebhooks, answer: 200 },
  { method: 'POST', path: '/v2/webhooks', operation: createWebhook, answer: 201 },
  { method: 'PATCH', path: '/v2/webhooks/:id', operation: changeWebhook, answer: 200 },
  { method: 'DELETE', path: '/v2/webhooks/:id', operation: deleteWebhook, answer: 204 },
  { method: 'POST', path: '/v2/webhooks/:id/secret', operation: rotateWebhookSecret, answer: 200 },
  { method: 'POST', path: '/v2/webhooks/:id/test', operation: testWebhook, answer: 202 },
  { method: 'GET', path: '/v2/deliveries', operation: listDeliveries, answer: 200 },
  { method: 'POST', path: '/v2/deliveries/:id/redeliver', operation: redeliver, answer: 204 },
  { method: 'GET', path: '/v2/mail-choices', operation: listMailChoices, answer: 200 },
  { method: 'PATCH', path: '/v2/mail-choices/:userId', operation: changeMailChoice, answer: 200 },
  { method: 'GET', path: '/v2/stores', operation: listStores, answer: 200 },
  { method: 'POST', path: '/v2/stores', operation: addStore, answer: 201 },
  { method: 'PATCH', path: '/v2/stores/:hash', operation: labelStore, answer: 200 },
  { method: 'DELETE', path: '/v2/stores/:hash', operation: disconnectStore, answer: 204 },
  { method: 'GET', path: '/v2/stores/:hash', operation: getStore, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/storefronts', operation: listStorefronts, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/catalog/:entity', operation: browseCatalog, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/catalog/:entity/:itemId', operation: getCatalogItem, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/page-templates', operation: listPageTemplates, answer: 200 },
  { method: 'GET', path: '/v2/entities', operation: listEntities, answer: 200 },
  { method: 'POST', path: '/v2/counts', operation: countCatalog, answer: 200 },
  { method: 'POST', path: '/v2/forecast', operation: forecast, answer: 200 },
  { method: 'POST', path: '/v2/preflight', operation: preflight, answer: 200 },
  { method: 'POST', path: '/v2/migrations', operation: createMigration, answer: 202, idempotent: true },
  { method: 'GET', path: '/v2/migrations', operation: listMigrations, answer: 200 },
  { method: 'GET', path: '/v2/migrations/creators', operation: listCreators, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id', operation: getMigration, answer: 200 },
  { method: 'PATCH', path: '/v2/migrations/:id', operation: renameMigration, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/request', operation: getMigrationRequest, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/events', operation: watchMigration, answer: 'events' },
  { method: 'GET', path: '/v2/migrations/:id/mappings', operation: listMappings, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/before-images', operation: listBeforeImages, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/timeline', operation: getRunTimeline, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/issues', operation: listIssues, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/issues/summary', operation: summariseIssues, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/issues/:issueId', operation: getIssue, answer: 200 },
  { method: 'GET', path: '/v2/issues', operation: searchIssues, answer: 200 },
  { method: 'GET', path: '/v2/issues/counts', operation: countIssues, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/differences', operation: listDifferences, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/differences/summary', operation: countDifferences, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/sign-off', operation: listSignOffs, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/sign-off', operation: signOff, answer: 201 },
  { method: 'GET', path: '/v2/items/history', operation: getItemHistory, answer: 200 },
  { method: 'POST', path: '/v2/compare', operation: compareItem, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/deletions', operation: listDeletions, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/deletions/summary', operation: countDeletions, answer: 200 },
  {
    method: 'GET',
    path: '/v2/migrations/:id/mappings.csv',
    operation: listMappings,
    answer: { file: { csv: mappingColumns } },
  },
  {
    method: 'GET',
    path: '/v2/migrations/:id/issues.csv',
    operation: listIssues,
    answer: { file: { csv: issueColumns } },
  },
  {
    method: 'GET',
    path: '/v2/migrations/:id/deletions.csv',
    operation: listDeletions,
    answer: { file: { csv: deletionColumns } },
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
  { method: 'POST', path: '/v2/migrations/:id/issues/reopen', operation: reopenIssues, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/issues/retry', operation: retryIssues, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/issues/:issueId/dismiss', operation: dismissIssue, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/differences/dismiss', operation: dismissDifferences, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/differences/reopen', operation: reopenDifferences, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/verify', operation: verify, answer: 202, idempotent: true },
  { method: 'GET', path: '/admin/api/administrators', operation: listAdministrators, answer: 200 },
  { method: 'POST', path: '/admin/api/administrators', operation: createAdministrator, answer: 201 },
  { method: 'POST', path: '/admin/api/reset-links', operation: createPersonResetLink, answer: 201 },
  { method: 'POST', path: '/admin/api/second-step-removals', operation: removeSecondStep, answer: 204 },
  { method: 'GET', path: '/admin/api/organisations', operation: listOrganisations, answer: 200 },
  { method: 'POST', path: '/admin/api/organisations', operation: createOrganisation, answer: 201 },
  { method: 'GET', path: '/admin/api/organisations/:organisation', operation: getOrganisation, answer: 200 },
  {
    method: 'GET',
    path: '/admin/api/organisations/:organisation/members',
    operation: listOrganisationMembers,
    answer: 200,
  },
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
  { method: 'GET', path: '/admin/api/migrations/:id', operation: getAnyMigration, answer: 200 },
  { method: 'POST', path: '/admin/api/migrations/:id/cancel', operation: cancelAnyMigration, answer: 202 },
  { method: 'GET', path: '/admin/api/capacity', operation: getCapacity, answer: 200 },
]
