import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/accounts/caller.ts'
import { routes } from '../../src/api/routes.ts'
import {
  isOpenToBearerTokens,
  mayCall,
  type OperationName,
  operationPermissions,
  type Role,
  roles,
} from '../../src/contract/accounts/permissions.ts'
import type { Operation } from '../../src/operations/shared/operation.ts'
import { perform } from '../../src/operations/shared/perform.ts'
import { aService, type Service } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

const folder = new URL('../../src/operations/', import.meta.url)
const operations = await loadOperations()

/** Every value of the folder that is an operation. */
async function loadOperations(): Promise<Operation<unknown, unknown, unknown>[]> {
  const files = (await readdir(folder, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const modules = await Promise.all(files.map((file) => import(new URL(file, folder).href)))
  return modules.flatMap((module) => Object.values(module).filter(isOperation))
}

function isOperation(value: unknown): value is Operation<unknown, unknown, unknown> {
  return typeof value === 'object' && value !== null && 'run' in value && 'input' in value && 'name' in value
}

test('S18: every operation has a row, every row an operation, and no two share a name', () => {
  const names = operations.map((operation) => operation.name)
  expect(names.toSorted()).toEqual(Object.keys(operationPermissions).toSorted())
})

const yes: Record<Role, OperationName[]> = {
  viewer: [
    'login',
    'sign-in',
    'sign-in-with-code',
    'claim-first-administrator',
    'describe-invitation',
    'accept-invitation',
    'mail-reset-link',
    'reset-password',
    'install-app',
    'load-app',
    'uninstall-app',
    'remove-app-user',
    'list-stores',
    'get-store',
    'list-storefronts',
    'forecast',
    'preflight',
    'list-entities',
    'list-page-templates',
    'list-migrations',
    'list-creators',
    'get-migration',
    'get-migration-request',
    'watch-migration',
    'list-mappings',
    'list-before-images',
    'list-issues',
    'list-differences',
    'list-deletions',
    'count-deletions',
    'describe-caller',
    'explain-migrations',
    'browse-stores',
    'get-store-overview',
    'check-store-access',
    'browse-channels',
    'get-storefront',
    'summarise-migrations',
    'get-run-timeline',
    'list-phases',
    'list-components',
    'summarise-issues',
    'get-issue',
    'search-issues',
    'count-issues',
    'get-forecast',
    'count-catalog',
    'browse-catalog',
    'get-catalog-item',
    'compare-item',
    'get-item-history',
    'count-differences',
    'list-sign-offs',
  ],
  operator: [
    'create-migration',
    'pause',
    'resume',
    'cancel',
    'heal',
    'dismiss-issue',
    'dismiss-issues',
    'reopen-issues',
    'retry-issues',
    'sign-off',
    'rename-migration',
    'dismiss-differences',
    'reopen-differences',
    'verify',
    'list-webhooks',
    'list-deliveries',
  ],
  owner: [
    'get-credential-status',
    'add-store',
    'claim-store',
    'label-store',
    'disconnect-store',
    'list-members',
    'add-member',
    'invite-member',
    'change-member',
    'remove-member',
    'create-reset-link',
    'list-audit',
    'list-audit-people',
    'create-webhook',
    'change-webhook',
    'delete-webhook',
    'rotate-webhook-secret',
    'test-webhook',
    'redeliver',
    'list-mail-choices',
    'change-mail-choice',
  ],
}

test.each(roles)('S18: a %s may call exactly the operations listed here', (role) => {
  const inherited = {
    viewer: ['viewer'],
    operator: ['viewer', 'operator'],
    owner: ['viewer', 'operator', 'owner'],
  } as const
  const expected = inherited[role].flatMap((each) => yes[each])
  const permitted = (Object.keys(operationPermissions) as OperationName[]).filter((name) => mayCall(role, name))
  expect(permitted.toSorted()).toEqual(expected.toSorted())
})

const member = { userId: crypto.randomUUID(), organisationId: crypto.randomUUID() }

test.each(
  operations.flatMap((operation) => roles.map((role) => ({ name: operation.name, role, operation }))),
)('S18: $name as $role stops at the permission exactly when the table says so', async ({ operation, role }) => {
  const byBearer: Caller = { ...member, role, secretVersion: 1, tokenId: crypto.randomUUID() }
  const bySession: Caller = { ...member, role, sessionHash: Buffer.alloc(32), provedAt: new Date() }
  // No operation has this key: a caller with permission is stopped at the input.
  const ask = (caller: Caller) =>
    perform(operation as Operation<unknown, unknown>, { 'no such key': 1 }, caller, service.deps)
  const allowed = mayCall(role, operation.name)
  await expect(ask(bySession)).rejects.toMatchObject({ code: allowed ? 'validation_failed' : 'forbidden' })
  const reached = allowed && isOpenToBearerTokens(operation.name)
  await expect(ask(byBearer)).rejects.toMatchObject({ code: reached ? 'validation_failed' : 'forbidden' })
})

test('S4: of the operations of members, only the owner’s own are closed to bearer tokens, except the credential status', () => {
  const closed = (Object.keys(operationPermissions) as OperationName[]).filter(
    (name) => mayCall('owner', name) && !isOpenToBearerTokens(name),
  )
  // An owner's assistant may see the status of the credential, but never the credential itself.
  expect(closed.toSorted()).toEqual(yes.owner.filter((name) => name !== 'get-credential-status').toSorted())
})

test('S4: operations of administrators are below /admin/api, and nothing else is', () => {
  for (const { path, operation } of routes) {
    expect(path.startsWith('/admin/api/')).toBe(operationPermissions[operation.name] === 'migrations.manage')
  }
})

test('S18: besides public operations, a signed-in person reaches only those of persons, an administrator only those of administrators', async () => {
  const signedIn = {
    user: { id: crypto.randomUUID(), firstName: '', lastName: '', email: '', isAdministrator: true },
    sessionHash: Buffer.alloc(32),
    startedAt: new Date(),
    provedAt: new Date(),
    hasSecondStep: false,
    generation: 0,
  }
  const administrator = { userId: crypto.randomUUID(), sessionHash: Buffer.alloc(32) }
  for (const operation of operations as Operation<unknown, unknown, typeof signedIn | typeof administrator>[]) {
    const permission = operationPermissions[operation.name]
    const codeOf = (may: boolean) => ({ code: may ? 'validation_failed' : 'forbidden' })
    const ask = (by: typeof signedIn | typeof administrator) =>
      perform(operation, { 'no such key': 1 }, by, service.deps)
    const isPublic = permission === 'public'
    await expect(ask(signedIn)).rejects.toMatchObject(codeOf(isPublic || permission === 'signed-in'))
    await expect(ask(administrator)).rejects.toMatchObject(codeOf(isPublic || permission === 'migrations.manage'))
  }
})

test('S18: an unauthenticated caller is refused by every operation that is not public', async () => {
  for (const operation of operations.filter(({ name }) => operationPermissions[name] !== 'public')) {
    const attempt = perform(
      operation as Operation<unknown, unknown, { address: string }>,
      {},
      { address: '192.0.2.1' },
      service.deps,
    )
    await expect(attempt).rejects.toMatchObject({ code: 'forbidden' })
  }
})
