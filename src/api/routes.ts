import { cancel } from '../operations/cancel.ts'
import { changePassword } from '../operations/change-password.ts'
import { createMigration } from '../operations/create-migration.ts'
import { dismissIssue } from '../operations/dismiss-issue.ts'
import { dismissIssues } from '../operations/dismiss-issues.ts'
import { forecast } from '../operations/forecast.ts'
import { getMigration } from '../operations/get-migration.ts'
import { getMigrationRequest } from '../operations/get-migration-request.ts'
import { getSession } from '../operations/get-session.ts'
import { getStore } from '../operations/get-store.ts'
import { heal } from '../operations/heal.ts'
import { listDifferences } from '../operations/list-differences.ts'
import { listIssues } from '../operations/list-issues.ts'
import { listMigrations } from '../operations/list-migrations.ts'
import { listStorefronts } from '../operations/list-storefronts.ts'
import { listStores } from '../operations/list-stores.ts'
import { login } from '../operations/login.ts'
import type { RoutedOperation } from '../operations/operation.ts'
import { pause } from '../operations/pause.ts'
import { resume } from '../operations/resume.ts'
import { signOut } from '../operations/sign-out.ts'
import { signOutEverywhere } from '../operations/sign-out-everywhere.ts'
import { verify } from '../operations/verify.ts'

export interface Route {
  method: 'GET' | 'POST' | 'DELETE'
  /** `:name` parts are keys of the operation's input; the other keys come from the query (GET) or the JSON body. */
  path: `/v2/${string}`
  operation: RoutedOperation
  answer: 200 | 201 | 202 | 204
  /** The `Idempotency-Key` header becomes the input's `idempotencyKey`. */
  idempotent?: true
}

/** The API: one line per operation. */
export const routes: readonly Route[] = [
  { method: 'POST', path: '/v2/login', operation: login, answer: 200 },
  { method: 'GET', path: '/v2/session', operation: getSession, answer: 200 },
  { method: 'DELETE', path: '/v2/session', operation: signOut, answer: 204 },
  { method: 'DELETE', path: '/v2/sessions', operation: signOutEverywhere, answer: 200 },
  { method: 'POST', path: '/v2/session/password', operation: changePassword, answer: 200 },
  { method: 'GET', path: '/v2/stores', operation: listStores, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash', operation: getStore, answer: 200 },
  { method: 'GET', path: '/v2/stores/:hash/storefronts', operation: listStorefronts, answer: 200 },
  { method: 'POST', path: '/v2/forecast', operation: forecast, answer: 200 },
  { method: 'POST', path: '/v2/migrations', operation: createMigration, answer: 202, idempotent: true },
  { method: 'GET', path: '/v2/migrations', operation: listMigrations, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id', operation: getMigration, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/request', operation: getMigrationRequest, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/issues', operation: listIssues, answer: 200 },
  { method: 'GET', path: '/v2/migrations/:id/differences', operation: listDifferences, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/pause', operation: pause, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/resume', operation: resume, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/cancel', operation: cancel, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/heal', operation: heal, answer: 202 },
  { method: 'POST', path: '/v2/migrations/:id/issues/dismiss', operation: dismissIssues, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/issues/:issueId/dismiss', operation: dismissIssue, answer: 200 },
  { method: 'POST', path: '/v2/migrations/:id/verify', operation: verify, answer: 202, idempotent: true },
]
