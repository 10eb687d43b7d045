import { type MovedPage, movedPaths, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import type { Database } from '../../db/core/database.ts'
import { mappingsOf } from '../../db/ledger/mappings.ts'
import { type Mapping, type StorePair, storefrontScope } from '../../db/ledger/store-pair.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { imageAddress, originalAddress } from '../../entities/core/image-file.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { type LinkReferences, MissingReference, type References } from '../../entities/core/references.ts'
import { linkedComponent, scopeOf } from '../../entities/registry.ts'
import { numberOf } from '../../model/destination-id.ts'
import { type AddressMove, type LinkedStorefront, pageOn } from '../../model/links/link-targets.ts'
import { formatPending, pendingErased } from '../../model/pending.ts'
import { viewOf, viewTag } from './storefront-view.ts'

export interface Resolved {
  draft: Draft
  /** Optional references and links without a counterpart, as they are stored when pending (C1, C4). */
  missing: string[]
  /** When originals are copied: ids of pictures whose original has no usable address; absent: none. */
  reduced?: string[]
  /** Hash of the store that the item was read from. */
  sourceHash?: string
  /** The mappings that it was resolved with. */
  known: Map<string, Mapping>
  /** The addresses that its links were resolved with; absent if links are not resolved. */
  shop?: ShopKnown
  /** It refers to items that only other storefronts have, so nothing of it is written. */
  leftToOthers?: true
  /** The outcome for each of its links. */
  links?: { rewritten: number; unresolved: string[]; followed: string[] }
}

const byCopy = new WeakMap<Resolved['known'], Map<string, Mapping[]>>()

/**
 * The mappings to an item of the destination, of those that an item was resolved with. Items of a page share these, so
 * they are grouped once for all of them.
 */
export function mappingsTo({ known }: Resolved, component: string, destinationId: string): Mapping[] {
  const grouped = byCopy.get(known) ?? Map.groupBy(known.values(), (one) => `${one.component}:${one.destinationId}`)
  byCopy.set(known, grouped)
  return grouped.get(`${component}:${destinationId}`) ?? []
}

/** Where the pages of the source are at the destination. */
export interface ShopKnown {
  moves: readonly AddressMove[]
  /** Paths that differ at the destination, by the source's path without the slash at its end. */
  moved: ReadonlyMap<string, readonly MovedPage[]>
  channelOfSite?: ReadonlyMap<number, number> | undefined
}

/** Looks up which items have copies, with one query per page of items (E5). */
export class MappingBook {
  readonly database: Database
  readonly pair: StorePair
  private readonly storefronts: { source: string | null; destination: string | null }

  constructor(database: Database, pair: StorePair, storefronts: { source: string | null; destination: string | null }) {
    this.database = database
    this.pair = pair
    this.storefronts = storefronts
  }

  /** Whether mappings belong to the store pair or, for what only one storefront has, to the storefront pair (D3). */
  scope(component: string): string {
    if (scopeOf(component) === 'store') return 'store'
    return storefrontScope(this.storefronts)
  }

  async mappings(requested: { component: string; sourceId: string }[]): Promise<Map<string, Mapping>> {
    const rows = await mappingsOf(
      this.database,
      this.pair,
      requested.map((one) => ({ ...one, scope: this.scope(one.component) })),
    )
    return new Map(rows.map((row) => [`${row.component}:${row.sourceId}`, this.ofThisView(row)]))
  }

  /** A storefront run sees less of an item than other runs, so checksums from another view cannot be compared. */
  private ofThisView(mapping: Mapping): Mapping {
    if (mapping.draftChecksum === null || viewOf(mapping.draftChecksum) === viewTag(this.storefronts)) return mapping
    return { ...mapping, draftChecksum: null, destinationChecksum: null }
  }
}

/** What references are resolved with, besides mappings. */
export interface ReferenceFacts {
  sourceHash: string
  /** Where the source serves original pictures; null: reduced ones are copied. */
  originals: string | null
  /** Addresses of the two shops; null: links are left as they are. */
  moves: readonly AddressMove[] | null
  /** Whether some page has another path at the destination. */
  anyMoved: boolean
  /** The destination's; undefined if it does not say. */
  defaultCurrency?: string | undefined
  /** Codes of currencies in which the destination takes payments. */
  paidCurrencies?: readonly string[] | undefined
  /** Channels of the source's sites, by the ids of these. */
  channelOfSite?: ReadonlyMap<number, number>
  /** Absent: every channel can be referred to. */
  channels?: { readonly destination: readonly PlatformItem[] }
}

/** Makes drafts that refer to other items by their ids at the destination. */
export class ReferenceBook {
  private readonly book: MappingBook
  private readonly facts: ReferenceFacts
  private anyMoved: boolean

  constructor(book: MappingBook, facts: ReferenceFacts) {
    this.book = book
    this.facts = facts
    this.anyMoved = facts.anyMoved
  }

  scope(component: string): string {
    return this.book.scope(component)
  }

  mappings(requested: { component: string; sourceId: string }[]): Promise<Map<string, Mapping>> {
    return this.book.mappings(requested)
  }

  /**
   * The drafts of a page; for an item whose required reference is missing, the error.
   *
   * @param gone items whose copies count as missing, as `component:id`
   */
  async resolve(
    pass: Pass,
    items: PlatformItem[],
    gone: ReadonlySet<string> = new Set(),
  ): Promise<(Resolved | MissingReference)[]> {
    const requested = new Map<string, { component: string; sourceId: string }>()
    const paths = new Set<string>()
    const { channelOfSite, defaultCurrency, paidCurrencies, moves, originals, sourceHash } = this.facts
    const links = moves ? listening(moves, requested, paths) : undefined
    for (const item of items) pass.drafts(item, collecting(requested, links, sourceHash))
    const existing = [...requested].flatMap(([name, one]) => (gone.has(name) ? [] : one))
    const known = this.usableFor(pass, await this.mappings(existing))
    const shop = moves ? { moves, moved: await this.movedPaths([...paths]), channelOfSite } : undefined
    const options = { originals, shop, sourceHash, defaultCurrency, paidCurrencies }
    return items.map((item) => resolveOne(pass, item, known, options))
  }

  /** Without the mappings of channels that the destination refuses to take such items for. */
  private usableFor(pass: Pass, known: Map<string, Mapping>): Map<string, Mapping> {
    if (!pass.needsOpenChannel) return known
    const channels = this.facts.channels?.destination ?? []
    const closed = new Set(channels.filter(({ status }) => status === 'disconnected').map(({ id }) => String(id)))
    const isClosed = (mapping: Mapping) => mapping.component === 'channels' && closed.has(mapping.destinationId)
    return new Map([...known].filter(([, mapping]) => !isClosed(mapping)))
  }

  /** The paths at the destination of those source paths that differ there. */
  async movedPaths(paths: string[]): Promise<ReadonlyMap<string, readonly MovedPage[]>> {
    return this.anyMoved && paths.length > 0 ? movedPaths(this.book.database, this.book.pair, paths) : new Map()
  }

  /** @returns whether moved pages may be recorded, so that even a page that did not move has to be saved */
  noteMoved(moved: boolean): boolean {
    this.anyMoved ||= moved
    return this.anyMoved
  }
}

/** Making drafts is pure, so making them once with references that only collect shows which ids a page needs. */
function collecting(
  requested: Map<string, { component: string; sourceId: string }>,
  links?: LinkReferences,
  sourceHash = '',
): References {
  const note = (component: string, id: unknown) => {
    requested.set(`${component}:${id}`, { component, sourceId: String(id) })
    return 0
  }
  const noteText = (component: string, id: unknown) => String(note(component, id))
  return {
    need: note,
    want: note,
    find: note,
    has: (component, id) => note(component, id) === 0,
    isCreated: (component, id) => note(component, id) === 0,
    wantText: noteText,
    picture: () => '',
    sourceHash,
    ...(links && { links }),
  }
}

function listening(
  moves: readonly AddressMove[],
  requested: Map<string, { component: string; sourceId: string }>,
  paths: Set<string>,
): LinkReferences {
  return {
    moves,
    id: (kind, id) => {
      const component = linkedComponent(kind)
      requested.set(`${component}:${id}`, { component, sourceId: id })
      return id
    },
    path: (path) => {
      paths.add(path)
      return undefined
    },
    report: () => undefined,
  }
}

/** Every item that an item refers to. */
export function namesIn(pass: Pass, item: PlatformItem): { component: string; sourceId: string }[] {
  const requested = new Map<string, { component: string; sourceId: string }>()
  pass.drafts(item, collecting(requested))
  return [...requested.values()]
}

/** Ids of the items of one component that an item refers to. */
export function namedBy(pass: Pass, item: PlatformItem, component: string): string[] {
  return namesIn(pass, item)
    .filter((one) => one.component === component)
    .map((one) => one.sourceId)
}

/** What an item lacks, and where its links lead, noted while it is drafted. */
interface Notes {
  missing: Set<string>
  reduced: string[]
  links: { rewritten: number; unresolved: string[]; followed: string[] }
}

function resolveOne(
  pass: Pass,
  item: PlatformItem,
  known: Map<string, Mapping>,
  options: ResolveOptions = {},
): Resolved | MissingReference {
  const { shop, sourceHash = '' } = options
  const storefront = pass.storefrontOf?.(item, shop?.channelOfSite)
  const notes: Notes = { missing: new Set(), reduced: [], links: { rewritten: 0, unresolved: [], followed: [] } }
  const references = resolving(known, options, notes)
  try {
    const made = pass.drafts(
      item,
      shop ? { ...references, links: resolvingLinks(known, shop, { ...options, storefront }, notes) } : references,
    )
    const draft = storefront === undefined ? made : { ...made, storefront }
    const { missing, reduced } = notes
    const links = shop && { shop, links: notes.links }
    return { draft, missing: [...missing], known, sourceHash, ...(reduced.length > 0 && { reduced }), ...links }
  } catch (error) {
    if (error instanceof MissingReference) return error
    throw error
  }
}

function resolving(
  known: Map<string, Mapping>,
  { originals = null, assumedMissing = [], sourceHash = '', defaultCurrency, paidCurrencies }: ResolveOptions,
  { missing, reduced }: Notes,
): References {
  const isErased = (component: string, id: unknown) =>
    known.get(`${component}:${id}`)?.owed.includes(pendingErased) === true
  // The id of an erased person refers to nothing (G12).
  const find = (component: string, id: unknown) =>
    isErased(component, id) ? undefined : known.get(`${component}:${id}`)?.destinationId
  const findOptional = (component: string, id: unknown) => {
    const pending = formatPending({ kind: 'reference', component, sourceId: String(id) })
    const found = assumedMissing.includes(pending) ? undefined : find(component, id)
    if (found === undefined) missing.add(pending)
    return found
  }
  const asNumber = (found: string | undefined) => (found === undefined ? undefined : numberOf(found))
  return {
    need: (component, id) => {
      const found = find(component, id)
      if (found === undefined) throw new MissingReference(component, String(id), isErased(component, id))
      return numberOf(found)
    },
    want: (component, id) => asNumber(findOptional(component, id)),
    find: (component, id) => asNumber(find(component, id)),
    has: (component, id) => find(component, id) !== undefined,
    isCreated: (component, id) => known.get(`${component}:${id}`)?.origin === 'created',
    wantText: findOptional,
    picture: (image) => {
      const original = originals === null ? undefined : originalAddress(originals, image)
      if (originals !== null && original === undefined) reduced.push(String(image.id))
      return original ?? imageAddress(image)
    },
    sourceHash,
    defaultCurrency,
    paidCurrencies,
  }
}

function resolvingLinks(
  known: Map<string, Mapping>,
  { moves, moved }: ShopKnown,
  { assumedMissing = [], storefront: ownStorefront }: ResolveOptions & { storefront: LinkedStorefront | undefined },
  { missing, links }: Notes,
): LinkReferences {
  return {
    moves,
    id: (kind, id) => {
      const component = linkedComponent(kind)
      const pending = formatPending({ kind: 'link', component, sourceId: String(id) })
      const found = assumedMissing.includes(pending) ? undefined : known.get(`${component}:${id}`)?.destinationId
      if (found === undefined) missing.add(pending)
      return found
    },
    path: (path, storefront = ownStorefront) => {
      const found = pageOn(moved.get(withoutLastSlash(path)) ?? [], storefront)
      if (found === undefined || assumedMissing.includes(formatPending({ kind: 'moved', path }))) return undefined
      links.followed.push(path)
      return found.destinationPath
    },
    report: ({ rewritten, unresolved }) => {
      links.rewritten += rewritten
      links.unresolved.push(...unresolved)
    },
  }
}

interface ResolveOptions {
  sourceHash?: string | undefined
  defaultCurrency?: string | undefined
  paidCurrencies?: readonly string[] | undefined
  originals?: string | null
  /** References to treat as missing, as they are stored when pending. */
  assumedMissing?: string[]
  shop?: ShopKnown | undefined
}

/**
 * The draft as it was when the given references were missing: where the present draft differs, work is pending. Only
 * optional references can have been missing, because no item is written without those it needs (a category's parent).
 */
export function draftWithout(
  pass: Pass,
  item: PlatformItem,
  { known, shop, sourceHash }: Pick<Resolved, 'known' | 'shop' | 'sourceHash'>,
  pending: string[],
): Draft {
  const resolved = resolveOne(pass, item, known, { assumedMissing: pending, shop, sourceHash })
  if (resolved instanceof MissingReference) throw resolved
  return resolved.draft
}
