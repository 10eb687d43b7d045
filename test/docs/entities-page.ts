import { endpointCaps } from '../../src/bigcommerce/endpoint-caps.ts'
import type { WriteCall } from '../../src/entities/core/calls.ts'
import type { Component, Scope } from '../../src/entities/core/component.ts'
import type { Draft, PlatformItem } from '../../src/entities/core/draft.ts'
import type { Entity } from '../../src/entities/core/entity.ts'
import type { Pass } from '../../src/entities/core/pass.ts'

const introduction = `# What moves, and how

Generated from the registry (\`src/entities/registry.ts\`); do not edit. \`UPDATE_DOCS=1 npm test -- test/docs\` regenerates it. Entities
are copied in the order of this page.

- **Recognised by**: the key that matches a source item with its counterpart at the destination. *content* means that the platform enforces
  no key, and items are compared by everything they contain.
- **Lost answer**: what happens when a creating call gets no definite answer. *key*: the destination is searched for the key.
  *baseline*: the children of the parent are compared with those before the call; a parent that the run created had none but its own.
  *resend*: the call may be sent again, because it overwrites.
- **Batch**: items per creating call, and per updating call.
- **Calls**: writing calls per created item; 0 if the call of another component carries it.
- **Destination-owned**: values that the destination's shop changes itself. They are written when an item is created and left alone on existing items, unless
  \`overwriteLiving\` names the component.
- **Data**: *personal* and *secret* values are stored encrypted or not at all, and never logged.
- **Replace**: whether \`replace\` deletes what only the destination has; *on request*: only if \`pruneLive\` names the component;
  *unless used*: what was used only if \`pruneLive\` names the component.
- **Caps**: concurrent calls to a store, where the platform allows fewer than usual.
`

/** docs/entities.md: the entities of the registry. */
export function entitiesPage(entities: readonly Entity[]): string {
  return `${[introduction, ...entities.map(section)].join('\n')}`
}

function section(entity: Entity): string {
  const { key, label, after, components, passes, notMoved } = entity
  const place = after.length > 0 ? ` After ${listed(after.map(code))}.` : ''
  return [
    `## ${label}`,
    '',
    `Phase ${code(key)}.${place} ${belongsTo[entity.scope]}${askedBy(entity)}`,
    '',
    table(
      ['Component', 'Recognised by', 'Lost answer', 'Batch', 'Calls', 'Destination-owned', 'Data', 'Replace', 'Caps'],
      components.map((component) => row(entity, component)),
    ),
    '',
    table(['Reads', 'Of the source', 'Of the destination'], passes.map(readingRow)),
    '',
    ...(notMoved.length > 0 ? ['Not moved:', '', ...notMoved.map(({ what, why }) => `- ${what}: ${why}.`)] : []),
    ...(notMoved.length > 0 ? [''] : []),
  ].join('\n')
}

const belongsTo: Record<Scope, string> = {
  store: 'Belongs to the store as a whole.',
  storefront: 'Belongs to a storefront.',
}

function row(entity: Entity, component: Component): string[] {
  const { key, label, naturalKey, recovery, destinationOwned, data, callsPerItem, scope } = component
  const elsewhere = scope !== undefined && scope !== entity.scope ? `; ${belongsTo[scope].toLowerCase()}` : ''
  return [
    `${label} ${code(key)}${elsewhere.replace(/\.$/, '')}`,
    naturalKey ?? 'content',
    recovery,
    batchOf(component),
    String(Math.round(callsPerItem.write * 1000) / 1000),
    destinationOwned.map(code).join(', ') || '-',
    data,
    replaceOf(entity, component),
    capsOf(component).join('; ') || '-',
  ]
}

function replaceOf({ prune }: Entity, { remove, madeByShoppers }: Component): string {
  if (!remove || prune === 'never') return 'leaves'
  if (madeByShoppers === undefined) return 'deletes'
  return madeByShoppers === true ? 'on request' : 'unless used'
}

function batchOf({ create, update }: Component): string {
  return [create ? String(create.batch) : '', update ? String(update.several?.batch ?? 1) : '-']
    .filter((part) => part !== '')
    .join(' / ')
}

function readingRow({ label, source, destination, details = [] }: Pass): string[] {
  if (source.pages) return [label, `${code(source.path.replace(/ \(.*/, '/...'))}, a call for each`, 'a call for each']
  const single = details
    .map(
      ({ path, when }) =>
        `, and ${code(path('{id}'))} for each item that may have some${when ? ', where the run asks for it' : ''}`,
    )
    .join('')
  const compared = destination.compared ? `, ${destination.compared.limit ?? destination.limit} to compare` : ''
  return [label, `${code(source.path)}, ${source.limit} a call${single}`, `${destination.limit} a call${compared}`]
}

/** A draft that says nothing, so that calls about it can be asked where they would go. */
const nothing: PlatformItem = new Proxy({}, { get: (_, name) => (typeof name === 'string' ? [] : undefined) })

const sample = (component: string): Draft => ({
  component,
  id: '1',
  body: nothing,
  compare: nothing,
  keys: ['key:1'],
  name: '',
  sku: null,
  path: null,
  parentId: '1',
  inline: false,
  uncreatable: null,
  withheld: null,
  outside: {},
  deferred: null,
  children: [],
})

function capsOf({ key, create, update, remove }: Component): string[] {
  const one = sample(key)
  const calls = [
    create?.call([{ draft: one, parentId: '1', parent: null }]),
    update?.call(one, one, '1', 'all'),
    update?.several?.call([{ desired: one, existing: one, fields: 'all' }]),
    remove?.call(one, '1'),
  ]
  const told = calls.flatMap((call) => (call ? capOf(call) : []))
  return [...new Set(told)]
}

function capOf({ method, path }: WriteCall): string[] {
  const cap = endpointCaps.find((one) => one.pattern.test(path) && (one.method ?? method) === method)
  return cap ? [`${method} ${cap.limit}`] : []
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}

function listed(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

function askedBy({ optIn }: Entity): string {
  return optIn ? ` Only in runs that name it or ask for it (\`themes\`: ${listed(optIn.map(code))}).` : ''
}
