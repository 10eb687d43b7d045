import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/accounts/caller.ts'
import { routes } from '../../src/api/routes.ts'
import { mayCall, type OperationName, operationPermissions, type Role, roles } from '../../src/contract/permissions.ts'
import type { Operation } from '../../src/operations/operation.ts'
import { perform } from '../../src/operations/perform.ts'
import { anOrganisation, aService, type Service } from '../api/a-service.ts'

let service: Service
beforeAll(async () => {
  service = await aService()
})
afterAll(() => service.close())

const folder = new URL('../../src/operations/', import.meta.url)
const operations = await loadOperations()

/** Every value of the folder that is an operation. */
async function loadOperations(): Promise<Operation<unknown, unknown, unknown>[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
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
    'claim-first-administrator',
    'list-stores',
    'get-store',
    'list-storefronts',
    'forecast',
    'list-migrations',
    'get-migration',
    'get-migration-request',
    'list-issues',
    'list-differences',
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
    'get-forecast',
    'count-catalog',
    'browse-catalog',
    'get-catalog-item',
    'compare-item',
    'get-item-history',
    'count-differences',
  ],
  operator: ['create-migration', 'pause', 'resume', 'cancel', 'heal', 'dismiss-issue', 'dismiss-issues', 'verify'],
  owner: ['get-credential-status'],
}

test.each(roles)('S18: what a %s may call is written down here once more', (role) => {
  const inherited = {
    viewer: ['viewer'],
    operator: ['viewer', 'operator'],
    owner: ['viewer', 'operator', 'owner'],
  } as const
  const expected = inherited[role].flatMap((each) => yes[each])
  const permitted = (Object.keys(operationPermissions) as OperationName[]).filter((name) => mayCall(role, name))
  expect(permitted.toSorted()).toEqual(expected.toSorted())
})

test.each(
  operations.flatMap((operation) => roles.map((role) => ({ name: operation.name, role, operation }))),
)('S18: $name as $role stops at the permission exactly when the table says so', async ({ operation, role }) => {
  const caller: Caller = { userId: crypto.randomUUID(), organisationId: crypto.randomUUID(), role, secretVersion: 1 }
  // No operation has this key: whoever passes the permission is stopped at the input.
  const asked = perform(operation as Operation<unknown, unknown>, { 'no such key': 1 }, caller, service.deps)
  const code = mayCall(role, operation.name) ? 'validation_failed' : 'forbidden'
  await expect(asked).rejects.toMatchObject({ code })
})

test('S4: no route leads to an operation of administrators', () => {
  const reached = routes.map(({ operation }) => operationPermissions[operation.name])
  expect(reached).not.toContain('migrations.manage')
})

test('S18: who has not said who they are is stopped at everything that is not public', async () => {
  for (const operation of operations.filter(({ name }) => operationPermissions[name] !== 'public')) {
    const asked = perform(
      operation as Operation<unknown, unknown, { address: string }>,
      {},
      { address: '192.0.2.1' },
      service.deps,
    )
    await expect(asked).rejects.toMatchObject({ code: 'forbidden' })
  }
})

test('S18: over HTTP a role without the permission is a 403, before its input is looked at', async () => {
  const viewer = await (await anOrganisation(service)).token('viewer')
  const closed = routes.filter(({ operation }) => !mayCall('viewer', operation.name))
  expect(closed.length).toBeGreaterThan(0)
  for (const { method, path } of closed) {
    const url = path.replaceAll(/:\w+/g, 'x')
    const response = await service.inject({
      method,
      url,
      headers: { authorization: `Bearer ${viewer}` },
      payload: { 'no such key': 1 },
    })
    expect(response.json().error).toBe('forbidden')
  }
})
