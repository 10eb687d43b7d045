import { endpointCaps } from '../../src/bigcommerce/endpoint-caps.ts'
import { idsParameter } from '../../src/engine/read/by-ids.ts'
import type { WriteCall } from '../../src/entities/core/calls.ts'
import type { Component, Scope } from '../../src/entities/core/component.ts'
import type { Draft, PlatformItem } from '../../src/entities/core/draft.ts'
import type { Entity } from '../../src/entities/core/entity.ts'
import type { Pass } from '../../src/entities/core/pass.ts'
import { pagingOf, type Reading } from '../../src/entities/core/reading.ts'

const introduction = `# What moves, and how

Generated from the registry (\`src/entities/registry.ts\`); do not edit. \`UPDATE_DOCS=1 npm test -- test/docs\` regenerates it. Entities
are copied in the order of this page.

- **Recognised by**: the key that matches a source item with its counterpart at the destination. *content* means that the platform enforces
  no key, and items are compared by everything they contain.
- **Lost answer**: what happens when a creating call gets no definite answer. *key*: the destination is searched for the key.
  *baseline*: the children of the parent are compared with those before the call; a parent created by the run had only the children that the run
  gave it.
  *resend*: the call may be sent again, because it overwrites.
- **Batch**: items per creating call, and per updating call.
- **Calls**: writing calls per created item; 0 if the call of another component carries it.
- **Destination-owned**: values that the destination's shop changes itself. They are written when an item is created and left
  alone on existing items, unless \`overwriteLiving\` names the component.
- **Data**: *personal* and *secret* values are stored encrypted or not at all, and never logged.
- **Replace**: whether \`replace\` deletes what only the destination has; *on request*: only if \`pruneLive\` names the component;
  *unless used*: what was used only if \`pruneLive\` names the component.
- **Reads**: the list, its largest page, and how it is paged. *by id* and *by cursor*: a page begins where the one before it ended, so
  nothing is missed, whatever is deleted meanwhile. *by number*: deleting an item moves those behind it to earlier pages, so a list of several
  pages is read again until a reading adds only newer items, and after five readings the run warns (\`source_changed\`). The same applies to
  numbered lists within *a call for each*. Lists below \`/v2\` have no total: the end of each is read twice.
- **What a list does not show**: how an item missing from a list is requested before it counts as deleted. For an item that is not copied
  yet, repeated readings of the list prove that the destination has none with its key. Wishlists, promotions and blog posts, whose keys need
  not be unique, are also requested by customer, name or address if the list has several pages.
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
    table(['Reads', 'Of the source', 'Of the destination', 'What a list does not show'], passes.map(readingRow)),
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

function readingRow(pass: Pass): string[] {
  const { label, source, destination, details = [] } = pass
  if (source.pages)
    return [label, `${code(source.path.replace(/ \(.*/, '/...'))}, a call for each`, 'a call for each', soughtBy(pass)]
  const single = details
    .map(
      ({ path, when }) =>
        `, and ${code(path('{id}'))} for each item that may have some${when ? ', where the run asks for it' : ''}`,
    )
    .join('')
  const compared = destination.compared ? `, ${destination.compared.limit ?? destination.limit} to compare` : ''
  const paging = `by ${pagingOf(source)}${partsOf(source)}`
  return [
    label,
    `${code(source.path)}, ${source.limit} a call, ${paging}${single}`,
    `${destination.limit} a call${compared}, by ${pagingOf(destination)}`,
    soughtBy(pass),
  ]
}

/** How an item is asked for before it counts as gone (G1). */
function soughtBy(pass: Pass): string {
  const parameter = idsParameter(pass)
  if (parameter === 'range') return 'by `min_id` and `max_id`'
  if (parameter !== undefined) return `by ${code(parameter)}`
  return pass.lookUpById && 'address' in pass.lookUpById
    ? `at ${code(pass.lookUpById.address('{id}'))}`
    : 'the list once more'
}

function partsOf({ parts }: Reading): string {
  if (!parts) return ''
  return `; ${code(parts.path({ id: '{id}' }))} for each, by ${parts.byCursor ? 'cursor' : 'number'}`
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
