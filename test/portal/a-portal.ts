import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { emailKey, nameKey } from '../../src/accounts/name-key.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { sessionCookie } from '../../src/accounts/session-cookie.ts'
import type { Role } from '../../src/contract/accounts/permissions.ts'
import { workerGround } from '../harness/worker-ground.ts'
import { startWorld, type World, type WorldOptions } from '../harness/world.ts'
import { aTab, builtPortal, startBrowser, type Tab } from './a-tab.ts'

export const password = 'a password long enough'

export interface Person {
  userId: string
  email: string
  cookie: string
}

/** The service with its portal, and people in front of it. */
export interface Portal {
  world: World
  /** The name of the world's organization. */
  organization: string
  person(given: {
    role?: Role
    administrator?: boolean
    organizationId?: string
    withPassword?: boolean
  }): Promise<Person>
  tab(person?: Person, expected?: RegExp): Promise<Tab>
  stop(): Promise<void>
}

/** @param shared a browser for several of them; whoever started it closes it */
export async function startPortal(options: WorldOptions = {}, shared?: Browser): Promise<Portal> {
  await builtPortal()
  const world = await startWorld(options)
  const browser = shared ?? (await startBrowser())
  return {
    world,
    organization: world.identity.organization_name,
    person: (given) => aPerson(world, given),
    tab: (person, expected) => aTab(browser, world.url, { cookie: person?.cookie, ...(expected && { expected }) }),
    async stop() {
      if (!shared) await browser.close()
      await world.stop()
    },
  }
}

async function aPerson(
  { database, organisationId }: World,
  {
    role,
    administrator = false,
    organizationId = organisationId,
    withPassword = false,
  }: Parameters<Portal['person']>[0],
): Promise<Person> {
  const userId = randomUUID()
  const email = `olive.${userId}@example.com`
  const hash = withPassword ? await hashPassword(password) : 'no password'
  await sql`
    insert into users (id, first_name, last_name, email, email_key, password_hash, is_administrator)
    values (${userId}, 'Olive', 'Reed', ${email}, ${emailKey(email)}, ${hash}, ${administrator})`.execute(database)
  if (role)
    await sql`
      insert into memberships (organisation_id, user_id, role) values (${organizationId}, ${userId}, ${role})`.execute(
      database,
    )
  const { deps } = await workerGround()
  const sessionId = await deps.database.transaction().execute((tx) => deps.sessions.begin(tx, userId, undefined))
  return { userId, email, cookie: sessionCookie(sessionId, 1).split(';')[0] ?? '' }
}

/** The name of an organization that has no Store Migration yet. */
export async function anOrganizationWithoutAccess({ database }: World): Promise<string> {
  const name = `Reed & <Lamps> ${randomUUID().slice(0, 8)}`
  await sql`insert into organisations (id, name, name_key) values (${randomUUID()}, ${name}, ${nameKey(name)})`.execute(
    database,
  )
  return name
}

/** The ids of a copy of brands and of its comparison. */
export async function aComparedCopy({ complete, verify }: World): Promise<{ copy: string; comparison: string }> {
  const { requestId: copy } = await complete({ entities: ['brands'] })
  return { copy, comparison: (await verify(copy)).detail.requestId }
}

/** What the tests of a block share; it is there once they run. */
interface Compared {
  portal: Portal
  /** An owner, and an administrator of the service. */
  person: Person
  copy: string
  comparison: string
}

/** For all tests of a block: one portal. It is there once they run. */
export function withPortal(options: WorldOptions = {}): Portal {
  const portal = {} as Portal
  beforeAll(async () => void Object.assign(portal, await startPortal(options)), 300_000)
  afterAll(() => portal.stop?.())
  return portal
}

/** For all tests of a block: the portal with a copy of brands that was compared. */
export function withComparedCopy(): Compared {
  const portal = withPortal({ entities: ['brands'] })
  const shared = { portal } as Compared
  beforeAll(async () => {
    shared.person = await portal.person({ role: 'owner', administrator: true })
    Object.assign(shared, await aComparedCopy(portal.world))
  }, 300_000)
  return shared
}
