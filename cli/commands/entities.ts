import type { Command } from 'commander'
import { type CommandLine, print, widthOf } from '../shared/command-line.ts'
import { printJson } from '../shared/print-json.ts'
import { overService, type ServiceOptions, signedIn } from '../shared/signed-in.ts'
import { formatTable } from '../shared/table.ts'

interface Entity {
  key: string
  label: string
  after: string[]
  optional: boolean
  pickable: boolean
  browsable: boolean
  deletable: boolean
  components: { key: string; label: string; destinationOwned: string[]; madeByShoppers: boolean }[]
  notMoved: { what: string; why: string }[]
}

interface Catalogue {
  items: Entity[]
  scopes: { name: string; read: string; write: string; for: string[] }[]
}

interface EntitiesOptions extends ServiceOptions {
  scopes?: boolean
}

export function addEntities(program: Command, commandLine: CommandLine): void {
  overService(program, 'entities', 'what can be copied, by the keys that --entities, --pick and the filters take')
    .argument('[key]', 'an entity, to see its components and what of it cannot be copied')
    .option('--scopes', 'the scopes that API accounts of the stores need instead')
    .addHelpText(
      'after',
      `
Examples:
  storeferry entities
  storeferry entities products
  storeferry entities --scopes`,
    )
    .action((key: string | undefined, options: EntitiesOptions) => showEntities(commandLine, key, options))
}

async function showEntities(
  commandLine: CommandLine,
  key: string | undefined,
  options: EntitiesOptions,
): Promise<void> {
  const client = await signedIn(commandLine, options)
  const { items, scopes } = await client.get<Catalogue>('/v2/entities')
  const width = widthOf(commandLine)
  if (options.scopes) {
    if (options.json) return printJson(commandLine, scopes)
    const rows = scopes.map(({ name, read, write, for: users }) => [
      name,
      read,
      write,
      users.join(', ') || 'every copy',
    ])
    const drop = ['needed for', 'write']
    return print(
      commandLine,
      formatTable(['scope', 'read', 'write', 'needed for'], rows, { width, cut: ['needed for'], drop }),
    )
  }
  if (key !== undefined) {
    const entity = items.find((one) => one.key === key)
    if (!entity) throw new Error(`There is no entity ${key}; "storeferry entities" lists them.`)
    return options.json ? printJson(commandLine, entity) : printEntity(commandLine, entity)
  }
  if (options.json) return printJson(commandLine, items)
  const yes = (claim: boolean) => (claim ? 'yes' : '-')
  const rows = items.map(({ key: name, label, pickable, browsable, optional, after }) => [
    name,
    label,
    yes(pickable),
    yes(browsable),
    optional ? 'on request' : 'always',
    after.join(', ') || null,
  ])
  const header = ['key', 'what', 'pick', 'items', 'copied', 'after']
  print(commandLine, formatTable(header, rows, { width, cut: ['what', 'after'], drop: ['after'] }))
}

function printEntity(commandLine: CommandLine, { label, key, components, notMoved }: Entity): void {
  print(commandLine, `${label} (${key})\n`)
  const rows = components.map((component) => [
    component.key,
    component.label,
    component.madeByShoppers ? 'shoppers' : null,
    component.destinationOwned.join(', ') || null,
  ])
  const header = ['component', 'what', 'made by', 'destination-owned']
  const cut = ['what', 'destination-owned']
  print(commandLine, formatTable(header, rows, { width: widthOf(commandLine), cut }))
  for (const { what, why } of notMoved) print(commandLine, `\nNot copied: ${what}\n  ${why}`)
}
