import { randomBytes } from 'node:crypto'
import type { DemoSandbox } from '../../cli/demo/demo-sandbox.ts'
import type { App } from '../../src/app.ts'
import type { Studio } from './studio.ts'

interface Account {
  email: string
  password: string
}

export interface PeopleOfTheTour {
  owner: Account
  administrator: Account
  organization: string
}

/** An owner of a new organization without stores, and an administrator of the platform. */
export async function peopleOfTheTour(administration: App['administration']): Promise<PeopleOfTheTour> {
  const password = randomBytes(12).toString('hex')
  const organization = 'Demo Outfitters'
  const owner = { firstName: 'Dana', lastName: 'Demo', email: 'owner@demo.example', password }
  const administrator = { firstName: 'Alex', lastName: 'Admin', email: 'admin@demo.example', password }
  await administration.createOrganisation({ name: organization, owner })
  await administration.enableStoreMigration({ organisation: organization })
  await administration.createAdministrator(administrator)
  for (const name of ['Harbor Lamps', 'Northwind Toys'])
    await administration.createOrganisation({ name, owner: { ...owner, email: `owner@${name.split(' ')[0]}.example` } })
  return { owner, administrator, organization }
}

/** From two stores that are not connected to a copy that was compared. */
export async function merchantStory(studio: Studio, { owner }: PeopleOfTheTour, sandbox: DemoSandbox): Promise<void> {
  const { page, take, heading } = studio
  await studio.signIn(owner)
  await heading('Home')
  await take('first-steps')
  await studio.open('/app/stores/connect', 'Connect a store')
  await take('connect-a-store')
  for (const [store, name] of [
    [sandbox.source, 'Old shop'],
    [sandbox.destination, 'New shop'],
  ] as const) {
    await studio.open('/app/stores/connect', 'Connect a store')
    await page.getByLabel('API path or store hash').fill(store.hash)
    await page.getByLabel('Access token').fill(store.token)
    await page.getByRole('button', { name: 'Check and connect' }).click()
    await page.getByLabel('Name in Storeferry').fill(name)
    await page.getByRole('button', { name: 'Save the name' }).click()
    await page.getByText(`Saved as ${name}.`).waitFor()
  }
  await chooseCopy(studio, sandbox)
  await tryOut(studio)
  await copyAndCompare(studio)
}

async function chooseCopy({ page, open, take }: Studio, { source, destination }: DemoSandbox): Promise<void> {
  await open(`/app/migrations/new?source=${source.hash}&destination=${destination.hash}`, 'New migration')
  await page.getByText('for the trial run').waitFor()
  await take('new-migration')
  await page.getByText('Nothing stands in the way.').waitFor()
  await page.locator('#new-check').evaluate((check) => check.scrollIntoView())
  await take('check')
  await page.getByLabel('Name (optional)').fill('Trial before the move')
}

async function tryOut({ page, heading, take }: Studio): Promise<void> {
  await page.getByRole('button', { name: 'Start trial run' }).click()
  await heading('Trial before the move')
  await page.getByText(/^Done/).first().waitFor({ timeout: 300_000 })
  await page.getByRole('link', { name: 'What it would do' }).click()
  await page.getByText('Would be copied').first().waitFor()
  await take('what-it-would-do')
}

async function copyAndCompare({ page, heading, take, open }: Studio): Promise<void> {
  await page.getByRole('link', { name: 'Now copy for real' }).click()
  await heading('New migration')
  await page.getByLabel('Name (optional)').fill('The move')
  await page.getByText('Nothing stands in the way.').waitFor()
  await page.getByRole('button', { name: 'Start copying' }).click()
  await heading('The move')
  await page.getByText(/^(2|3|4|5)\d%$/).waitFor({ timeout: 300_000 })
  await take('copying')
  await take('copying-on-a-phone', 'phone')
  await page.getByText(/^Done/).first().waitFor({ timeout: 600_000 })
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
  await page
    .getByText(/^Compared /)
    .first()
    .waitFor({ timeout: 600_000 })
  await take('compared')
  await open('/app/migrations', 'Migrations')
  await page.getByRole('link', { name: 'The move' }).first().waitFor()
  await take('migrations')
}

/** What the people see who run the service. */
export async function platformStory(studio: Studio, { administrator, organization }: PeopleOfTheTour): Promise<void> {
  const { page, take } = studio
  await studio.signIn(administrator)
  await studio.heading('Migrations')
  await studio.open('/admin/migrations/access', 'Migration Access')
  await page.getByRole('button', { name: `Issue credential: ${organization}` }).click()
  await page.getByRole('region', { name: `New credential for ${organization}` }).waitFor()
  await take('migration-access')
  await page.getByRole('button', { name: 'I stored it' }).click()
  await studio.open('/admin/capacity', 'Capacity')
  await page.getByRole('table', { name: 'Hosts' }).waitFor()
  await take('capacity')
}
