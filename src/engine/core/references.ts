import { movedPaths, whatMoved, withoutLastSlash } from '../../db/addresses/moved-addresses.ts'
import type { Database } from '../../db/core/database.ts'
import { type Mapping, mappingsOf, type StorePair } from '../../db/ledger/mappings.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { imageAddress, originalAddress } from '../../entities/core/image-file.ts'
import type { Pass } from '../../entities/core/pass.ts'
import { type LinkReferences, MissingReference, type References } from '../../entities/core/references.ts'
import { linkedComponent, scopeOf } from '../../entities/registry.ts'
import type { AddressMove } from '../../model/links/link-targets.ts'
import { numberOf } from './simulated-id.ts'
import { viewOf, viewTag } from './storefront-view.ts'

export interface Resolved {
  draft: Draft
  /** Optional references that had no counterpart, as `reference:<component>:<id>` (C1, C4). */
  missing: string[]
  /** Ids of its pictures whose original cannot be named, where originals are copied; absent: none. */
  reduced?: string[]
  /** Of the store it was read from. */
  sourceHash?: string
  /** What it resolved with. */
  known: Map<string, Mapping>
  /** The same for its links; absent where there are none to resolve. */
  shop?: ShopKnown
  /** It names what only other storefronts have: nothing is written of it. */
  leftToOthers?: true
  /** What became of its links. */
  links?: { rewritten: number; unresolved: string[]; followed: string[] }
}

/** Where the pages of the source are at the destination. */
export interface ShopKnown {
  moves: readonly AddressMove[]
  /** Paths that are other ones there, without the slash at the end of the source's. */
  moved: ReadonlyMap<string, string>
}

/** What an item owes: a link to something that is not there yet. */
export const pendingLink = 'link:'
/** What an item owes that another item is for, in a field or in a link. */
export function isReference(pending: string): boolean {
  return pending.startsWith('reference:') || pending.startsWith(pendingLink)
}

/** What an item was written without: the path that a page has at the destination. Never stored. */
export const pendingPath = 'moved:'

/** Translates ids, one query per page of items (E5). */
export class ReferenceBook {
  /** Where the source serves the originals of its pictures, as preflight found out; null: their reduced form is copied. */
  originals: string | null = null
  /** Addresses of the source's shop; null as long as nobody asked the stores. */
  moves: readonly AddressMove[] | null = null
  /** Whether some page has another path at the destination. */
  private movedAny = false
  private readonly database: Database
  private readonly sourceHash: string
  private readonly pair: StorePair
  private readonly storefronts: { source: string | null; destination: string | null }

  constructor(
    database: Database,
    pair: StorePair,
    storefronts: { source: string | null; destination: string | null },
    sourceHash: string,
  ) {
    this.sourceHash = sourceHash
    this.database = database
    this.pair = pair
    this.storefronts = storefronts
  }

  /** Key of the mappings a component lives under: the store pair, or the storefront pair for channel-scoped ones (D3). */
  scope(component: string): string {
    if (scopeOf(component) === 'store') return 'store'
    return `storefront:${this.storefronts.source ?? '*'}>${this.storefronts.destination ?? '*'}`
  }

  /** A run over one storefront sees less of an item than others do: what they compared by says nothing to it, and the reverse. */
  private ofThisView(mapping: Mapping): Mapping {
    if (mapping.draftChecksum === null || viewOf(mapping.draftChecksum) === viewTag(this.storefronts)) return mapping
    return { ...mapping, draftChecksum: null, destinationChecksum: null }
  }

  /** Drafts of a page; an item whose required reference is missing comes back as the error. */
  async resolve(pass: Pass, items: PlatformItem[]): Promise<(Resolved | MissingReference)[]> {
    const requested = new Map<string, { component: string; sourceId: string }>()
    const paths = new Set<string>()
    const { moves } = this
    const links = moves ? listening(moves, requested, paths) : undefined
    for (const item of items) pass.drafts(item, collecting(requested, links, this.sourceHash))
    const known = await this.mappings([...requested.values()])
    const shop = moves ? { moves, moved: await this.movedPaths([...paths]) } : undefined
    return items.map((item) =>
      resolveOne(pass, item, known, { originals: this.originals, shop, sourceHash: this.sourceHash }),
    )
  }

  /** From here on links lead to the destination's shop. */
  async openShop(moves: readonly AddressMove[]): Promise<void> {
    this.moves = moves
    this.movedAny = (await whatMoved(this.database, this.pair)).any
  }

  /** Of paths of the source, those that are other ones at the destination. */
  async movedPaths(paths: string[]): Promise<ReadonlyMap<string, string>> {
    return this.movedAny && paths.length > 0 ? movedPaths(this.database, this.pair, paths) : new Map()
  }

  /** @returns whether there may be rows about pages that moved, so that one which did not has to be looked up. */
  noteMoved(moved: boolean): boolean {
    this.movedAny ||= moved
    return this.movedAny
  }

  async mappings(requested: { component: string; sourceId: string }[]): Promise<Map<string, Mapping>> {
    const rows = await mappingsOf(
      this.database,
      this.pair,
      requested.map((one) => ({ ...one, scope: this.scope(one.component) })),
    )
    return new Map(rows.map((row) => [`${row.component}:${row.sourceId}`, this.ofThisView(row)]))
  }
}

/** Making drafts is pure, so making them once with references that only listen tells which ids a page needs. */
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

/** Everything that an item names. */
export function namesIn(pass: Pass, item: PlatformItem): { component: string; sourceId: string }[] {
  const requested = new Map<string, { component: string; sourceId: string }>()
  pass.drafts(item, collecting(requested))
  return [...requested.values()]
}

/** Ids of a component that an item cannot be written without. */
export function namedBy(pass: Pass, item: PlatformItem, component: string): string[] {
  return namesIn(pass, item)
    .filter((one) => one.component === component)
    .map((one) => one.sourceId)
}

function resolveOne(
  pass: Pass,
  item: PlatformItem,
  known: Map<string, Mapping>,
  { originals = null, assumedMissing = [], shop, sourceHash = '' }: ResolveOptions = {},
): Resolved | MissingReference {
  const missing = new Set<string>()
  const reduced: string[] = []
  const linkCounts = { rewritten: 0, unresolved: [] as string[], followed: [] as string[] }
  const find = (component: string, id: unknown) => known.get(`${component}:${id}`)?.destinationId
  const references: References = {
    need: (component, id) => {
      const found = find(component, id)
      if (found === undefined) throw new MissingReference(component, String(id))
      return numberOf(found)
    },
    want: (component, id) => {
      const found = assumedMissing.includes(`reference:${component}:${id}`) ? undefined : find(component, id)
      if (found === undefined) missing.add(`reference:${component}:${id}`)
      return found === undefined ? undefined : numberOf(found)
    },
    find: (component, id) => {
      const found = find(component, id)
      return found === undefined ? undefined : numberOf(found)
    },
    wantText: (component, id) => {
      const found = assumedMissing.includes(`reference:${component}:${id}`) ? undefined : find(component, id)
      if (found === undefined) missing.add(`reference:${component}:${id}`)
      return found
    },
    picture: (image) => {
      const original = originals === null ? undefined : originalAddress(originals, image)
      if (originals !== null && original === undefined) reduced.push(String(image.id))
      return original ?? imageAddress(image)
    },
    sourceHash,
    ...(shop && { links: linksOf(shop) }),
  }
  try {
    const draft = pass.drafts(item, references)
    const links = shop && { shop, links: linkCounts }
    return { draft, missing: [...missing], known, sourceHash, ...(reduced.length > 0 && { reduced }), ...links }
  } catch (error) {
    if (error instanceof MissingReference) return error
    throw error
  }

  function linksOf({ moves, moved }: ShopKnown): LinkReferences {
    return {
      moves,
      id: (kind, id) => {
        const component = linkedComponent(kind)
        const pending = `${pendingLink}${component}:${id}`
        const found = assumedMissing.includes(pending) ? undefined : find(component, id)
        if (found === undefined) missing.add(pending)
        return found
      },
      path: (path) => {
        const found = moved.get(withoutLastSlash(path))
        if (found === undefined || assumedMissing.includes(`${pendingPath}${path}`)) return undefined
        linkCounts.followed.push(path)
        return found
      },
      report: ({ rewritten, unresolved }) => {
        linkCounts.rewritten += rewritten
        linkCounts.unresolved.push(...unresolved)
      },
    }
  }
}

interface ResolveOptions {
  sourceHash?: string | undefined
  originals?: string | null
  /** What is taken for missing, in the words of what is owed. */
  assumedMissing?: string[]
  shop?: ShopKnown | undefined
}

/**
 * The draft as it was when the given references were still missing: what differs from today's is what is owed. Only optional
 * ones can have been missing: nothing is written without those it needs (a category without its parent).
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
