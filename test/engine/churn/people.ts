import type { StoreClient } from '../../../src/bigcommerce/client.ts'
import { PlatformError } from '../../../src/bigcommerce/errors.ts'
import type { RunContext } from '../../../src/engine/context/context.ts'
import { plainPages } from '../../../src/engine/read/pages.ts'
import { itemsOfPass } from '../../../src/engine/read/whole-items.ts'
import { acceptedBody } from '../../../src/entities/core/accepted-fields.ts'
import type { WriteCall } from '../../../src/entities/core/calls.ts'
import type { Component } from '../../../src/entities/core/component.ts'
import type { Draft, PlatformItem } from '../../../src/entities/core/draft.ts'
import type { Pass } from '../../../src/entities/core/pass.ts'
import { identity } from '../../../src/entities/core/references.ts'
import { componentOf, entities } from '../../../src/entities/registry.ts'
import { otherValue } from '../../comparison/other-value.ts'
import { tableRules } from '../../comparison/table-rules.ts'
import { underOtherKeys } from '../../entities/destination-only.ts'

export const deeds = ['add', 'delete', 'rename', 'edit'] as const
export type Deed = (typeof deeds)[number]

/** An item of a store with its place below others. */
export interface Found {
  pass: Pass
  component: Component
  draft: Draft
  /** The address of its parent; empty at the top. */
  parentId: string
  parent: Draft | null
}

/** Whole numbers from 0 to below the limit. */
export type Dice = (below: number) => number

const passes = entities.flatMap((entity) => entity.passes)

/** All that a pass reads of a store now, children included, with nothing of it translated. */
export async function itemsOf(client: StoreClient, pass: Pass): Promise<Found[]> {
  const wholeStore = { selective: false, sourceStorefront: null, destStorefront: null }
  const run = { ...wholeStore, customerConsent: true, orderStatuses: [], phases: entities.map(({ key }) => key) }
  const channels = { source: undefined, destination: undefined }
  const lease = { stop: new AbortController().signal }
  // Reading asks no more than this of a run.
  const context = { source: client, destination: client, channels, lease, run } as unknown as RunContext
  const rows: PlatformItem[] = []
  for await (const { items } of plainPages(context, 'source', pass.source)) rows.push(...items)
  const whole = await itemsOfPass(context, 'source', pass, rows)
  return whole.flatMap((item) => family(pass, pass.drafts(item, identity), '', null))
}

function family(pass: Pass, draft: Draft, above: string, parent: Draft | null): Found[] {
  const component = componentOf(draft.component)
  const parentId = draft.parentId ?? above
  const address = component.addressBelow?.(draft.id, parentId) ?? draft.id
  const below = draft.children.flatMap((child) => family(pass, child, address, draft))
  return [{ pass, component, draft, parentId, parent }, ...below]
}

/** The passes in which a component was seen. */
export async function passesOf(client: StoreClient): Promise<Map<string, Pass>> {
  const seen = new Map<string, Pass>()
  for (const pass of passes)
    for (const { component } of await itemsOf(client, pass)) if (!seen.has(component.key)) seen.set(component.key, pass)
  return seen
}

/** What people can do to the items of a component. Settings and places in a theme are only ever edited. */
export function deedsOf(component: Component, { root, source }: Pass): Deed[] {
  const isListed = component.remove !== undefined || (root === component.key && source.pages === undefined)
  return [
    ...(isListed && component.create ? (['add'] as const) : []),
    ...(isListed ? (['delete'] as const) : []),
    ...(component.update ? (['rename', 'edit'] as const) : []),
  ]
}

/** @returns what was done, or undefined when the store refused it or it would change nothing. */
export async function act(
  client: StoreClient,
  deed: Deed,
  one: Found,
  dice: Dice,
  mark: string,
): Promise<string | undefined> {
  for (const { call, what } of callsFor(deed, one, dice, mark)) if (await send(client, one.component, call)) return what
  return undefined
}

/** @returns whether the store took it. Pictures and what is prepared from the other store are the run's own affair. */
export async function send(client: StoreClient, component: Component, call: WriteCall | undefined): Promise<boolean> {
  if (!call || call.picture || call.prepare) return false
  try {
    const { method, path, query = {}, body } = call
    await client.write({ method, path, query, body: acceptedBody(component, body) })
    return true
  } catch (error) {
    if (error instanceof PlatformError) return false
    throw error
  }
}

interface Try {
  call: WriteCall | undefined
  what: string
}

function callsFor(deed: Deed, one: Found, dice: Dice, mark: string): Try[] {
  const { component, draft, parentId, parent, pass } = one
  switch (deed) {
    case 'add': {
      const fresh = underOtherKeys(draft, mark)
      const make = (of: Draft) => component.create?.call([{ draft: of, parentId, parent }])
      return [{ ...fresh, children: [] }, fresh].map((of) => ({
        call: make(of),
        what: `${nameOf(of)} beside ${nameOf(draft)}`,
      }))
    }
    case 'delete':
      return [
        {
          call: component.remove?.call(draft, parentId) ?? {
            method: 'DELETE',
            path: `${pass.source.path}/${draft.id}`,
          },
          what: nameOf(draft),
        },
      ]
    case 'rename': {
      const { body } = underOtherKeys(draft, mark)
      const fields = Object.keys(body).filter(
        (field) => JSON.stringify(body[field]) !== JSON.stringify(draft.body[field]),
      )
      return fields.length === 0 ? [] : [change(one, body, fields)]
    }
    case 'edit': {
      const fields = Object.keys(draft.body).filter((field) => isPlain(field, draft.body[field]))
      const field = fields[dice(fields.length)]
      if (field === undefined) return []
      const table = tableRules.find(({ entity }) => entity === component.key)?.table ?? component.key
      const value = otherValue(`${table}.${field}`, draft.body[field])
      return [change(one, { ...draft.body, [field]: value }, [field])]
    }
  }
}

function change({ component, draft, parentId }: Found, body: PlatformItem, fields: string[]): Try {
  const desired = { ...draft, body, compare: { ...draft.compare, ...body } }
  const said = fields.map((field) => `${field}: ${JSON.stringify(draft.body[field])} -> ${JSON.stringify(body[field])}`)
  return {
    call: component.update?.call(desired, draft, parentId, fields),
    what: `${nameOf(draft)}, ${said.join(', ')}`,
  }
}

/** An id names something else, and another one most likely nothing. */
function isPlain(field: string, value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && !/(^|_)(id|uuid)$/.test(field)
}

export function nameOf({ component, id, name, keys }: Draft): string {
  return `${component} ${id} ${name ?? keys[0] ?? ''}`.trim()
}
