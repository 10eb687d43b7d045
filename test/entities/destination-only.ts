import type { Component } from '../../src/entities/core/component.ts'
import type { Draft, PlatformItem } from '../../src/entities/core/draft.ts'
import type { Pass } from '../../src/entities/core/pass.ts'
import type { Lister } from '../../src/entities/core/reading.ts'
import { identity } from '../../src/entities/core/references.ts'
import { componentOf } from '../../src/entities/registry.ts'
import type { World } from '../harness/world.ts'
import type { StoreName } from '../harness/world-sandbox.ts'
import { prunedElsewhere } from './entity-facts.ts'

/**
 * Creates an item that only the destination has: a copy of an existing one, under other keys. It uses only what the registry
 * declares, so a new entity needs nothing here.
 */
export async function makeDestinationOnly(world: World, pass: Pass): Promise<void> {
  const item = (await listed(world, 'destination', pass)).find((one) => !pass.protects?.(one))
  if (!item) throw new Error(`The destination has nothing of ${pass.key} that may be deleted.`)
  const { create } = componentOf(pass.root)
  const draft = underOtherKeys({ ...pass.drafts(item, identity), children: [] })
  const call = create?.call([{ draft, parentId: draft.parentId ?? '', parent: null }])
  if (!call) throw new Error(`${pass.root} cannot be created.`)
  await ask(world, 'destination', call.method, call.path, call.body)
}

/** Whole items of a pass that `replace` deletes if only the destination has them. */
export function isPruned(entityPrunes: boolean, pass: Pass, component: Component): boolean {
  const isAlone = pass.below === undefined && !(component.key in prunedElsewhere)
  return entityPrunes && component.remove !== undefined && isAlone
}

/** With all of their fields, some of which the list with the keys does not show. */
async function listed(world: World, side: StoreName, { source, destination }: Pass): Promise<PlatformItem[]> {
  const { path, query, pages } = destination.complete ? destination : source
  if (pages) return walked(world, side, path, pages)
  const parameters = Object.entries({ ...query, limit: 10 }).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  const body = await ask(world, side, 'GET', `${path}?${new URLSearchParams(parameters)}`)
  // Version 2 answers with the bare list.
  return (Array.isArray(body) ? body : (body as { data: unknown }).data) as PlatformItem[]
}

/** A resource without a list on the platform is put together from several calls. */
async function walked(world: World, side: StoreName, path: string, pages: Lister): Promise<PlatformItem[]> {
  const get = async (at: string, query: object = {}) => {
    const given = Object.entries(query).filter(([, value]) => value !== undefined)
    const parameters = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
    return { body: await ask(world, side, 'GET', `${at}?${parameters}`) }
  }
  const found: PlatformItem[] = []
  // The walks read only the body of an answer.
  for await (const { items } of pages({ get } as unknown as Parameters<Lister>[0], path, {}, {})) found.push(...items)
  return found
}

async function ask(world: World, side: StoreName, method: string, path: string, body?: unknown): Promise<unknown> {
  const { url, token } = world.address(side)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-auth-token': token, accept: 'application/json', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${side} answered ${method} ${path} with ${response.status}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

/** Every text that is a key, name, SKU or address gets the mark; so do emails, which are often unique. */
export function underOtherKeys(draft: Draft, mark = 'extra'): Draft {
  const keys = draft.keys.map((key) => key.slice(key.lastIndexOf(':') + 1))
  const own = new Set([draft.name, draft.sku, draft.path, ...keys].flatMap((one) => one?.toLowerCase() ?? []))
  return { ...draft, body: renamed(draft.body, own, mark) as PlatformItem }
}

const isEmail = /^[^\s@]+@[^\s@]+$/

function renamed(value: unknown, own: Set<string>, mark: string): unknown {
  if (typeof value === 'string' && value !== '' && (own.has(value.toLowerCase()) || isEmail.test(value)))
    return another(value, mark)
  if (Array.isArray(value)) return value.map((one) => renamed(one, own, mark))
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([field, one]) => [field, renamed(one, own, mark)]))
  return value
}

function another(text: string, mark: string): string {
  // The code of a currency has three letters.
  if (/^[A-Z]{3}$/.test(text)) return 'XTS'
  if (text.startsWith('/')) return `/${mark}${text}`
  return text.includes('@') ? `${mark}.${text}` : `${mark.toUpperCase()}-${text}`
}
