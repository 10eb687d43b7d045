import type { Command } from 'commander'
import type { z } from 'zod'
import type { storeDetail, storefrontList, storeList } from '../../src/contract/stores.ts'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { printable } from '../shared/printable.ts'
import { Refusal, type ServiceClient } from '../shared/service-client.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

export function addStores(program: Command, commandLine: CommandLine): void {
  overService(program, 'stores', 'list the connected stores, or look at one, with its storefronts')
    .argument('[hash]', 'the store to look at now')
    .addHelpText(
      'after',
      `
The list shows how the last look at each store ended. A store that is named is asked now.

Examples:
  storeferry stores
  storeferry stores abc123`,
    )
    .action((hash: string | undefined, options: ServiceOptions) =>
      hash === undefined ? listStores(commandLine, options) : showStore(commandLine, hash, options),
    )
}

const accessWords = { works: 'works', refused: 'refuses its API token', silent: 'does not answer' }

async function listStores(commandLine: CommandLine, options: ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { items } = await client.get<z.infer<typeof storeList>>('/v2/stores')
  if (options.json) return printJson(commandLine, items)
  if (items.length === 0)
    return print(commandLine, 'No store is connected; an owner connects stores in the portal, at /app/stores/connect.')
  const rows = items.map(({ hash, label, access }) => [
    hash,
    label,
    access ? accessWords[access.state] : 'not checked yet',
    access?.checkedAt ?? null,
  ])
  const header = ['hash', 'store', 'access', 'checked']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut: ['store'] }))
}

/** A token that lacks a scope may not list them; the missing scopes are shown instead. */
async function storefrontsOf(client: ServiceClient, path: string, missingScopes: readonly string[]) {
  try {
    return (await client.get<z.infer<typeof storefrontList>>(`${path}/storefronts`)).items
  } catch (error) {
    if (error instanceof Refusal && error.code === 'platform_error' && missingScopes.length > 0) return []
    throw error
  }
}

async function showStore(commandLine: CommandLine, hash: string, options: ServiceOptions): Promise<void> {
  const client = await signedIn(commandLine, options)
  const path = `/v2/stores/${encodeURIComponent(hash)}`
  const store = await client.get<z.infer<typeof storeDetail>>(path)
  const storefronts = store.access.reachable ? await storefrontsOf(client, path, store.access.missingScopes) : []
  if (options.json) return printJson(commandLine, { ...store, storefronts })
  const { access, about } = store
  print(commandLine, `${printable(store.label)} (${store.hash}): ${access.message ?? accessWords[access.state]}`)
  if (access.missingScopes.length > 0)
    print(commandLine, `Its API token lacks scopes a copy needs: ${access.missingScopes.join(', ')}.`)
  if (about) {
    const facts = [about.name, about.domain, about.plan, about.currency].filter((one) => one !== null)
    print(commandLine, printable(facts.join(', ')))
  }
  if (storefronts.length > 0)
    print(
      commandLine,
      `\n${formatTable(
        ['channel', 'storefront'],
        storefronts.map(({ id, name }) => [id, name]),
      )}`,
    )
}
