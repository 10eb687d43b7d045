/** What is still missing from a copy after it was written. `mappings.owed` stores it as text. */
export type Pending =
  /** Another item that the destination did not have: referred to by a field, or by a link in a text. */
  | { kind: 'reference' | 'link'; component: string; sourceId: string }
  /** A link to a page that has another path at the destination. Never stored. */
  | { kind: 'moved'; path: string }
  /** Any of its children; comparing finds out which. */
  | { kind: 'children' }
  /** Any items of its own kind: what it was created without is not known, because the store gave no answer. */
  | { kind: 'own-kind' }
  /** A picture that the platform could not fetch. */
  | { kind: 'picture' }
  /** Its own address, which another item was using. Stored only while healing tries it. */
  | { kind: 'address' }
  /** Everything: a person may have been erased at the destination, and is not created again unless requested (G12). */
  | { kind: 'erased' }

export type PendingKind = Pending['kind']

export const pendingChildren = formatPending({ kind: 'children' })
export const pendingOwnKind = formatPending({ kind: 'own-kind' })
export const pendingPicture = formatPending({ kind: 'picture' })
export const pendingErased = formatPending({ kind: 'erased' })
export const pendingAddress = formatPending({ kind: 'address' })

export function formatPending(pending: Pending): string {
  switch (pending.kind) {
    case 'reference':
    case 'link':
      return `${pending.kind}:${pending.component}:${pending.sourceId}`
    case 'moved':
      return `moved:${pending.path}`
    default:
      return pending.kind
  }
}

/** @throws when the text was not made by `formatPending` */
export function parsePending(text: string): Pending {
  const [kind, rest] = splitOnce(text)
  switch (kind) {
    case 'reference':
    case 'link': {
      const [component, sourceId] = splitOnce(rest)
      return { kind, component, sourceId }
    }
    case 'moved':
      return { kind, path: rest }
    case 'children':
    case 'own-kind':
    case 'picture':
    case 'address':
    case 'erased':
      return { kind }
    default:
      throw new Error(`"${text}" is not something that an item can lack.`)
  }
}

/** Prefix of every reference to an item of the component, for queries. */
export function referencePrefix(component: string): string {
  return formatPending({ kind: 'reference', component, sourceId: '' })
}

/** Prefix of every link, for queries. */
export const linkPrefix = 'link:'

export function isKind(text: string, ...kinds: PendingKind[]): boolean {
  return kinds.includes(parsePending(text).kind)
}

export function isReferenceTo(text: string, component: string): boolean {
  const pending = parsePending(text)
  return pending.kind === 'reference' && pending.component === component
}

/** The other items in the texts, by references, links or both. */
export function namedItems(
  texts: readonly string[],
  ...kinds: ('reference' | 'link')[]
): { component: string; sourceId: string }[] {
  return texts.map(parsePending).flatMap((pending) => {
    if (pending.kind !== 'reference' && pending.kind !== 'link') return []
    const { kind, component, sourceId } = pending
    return kinds.includes(kind) ? [{ component, sourceId }] : []
  })
}

function splitOnce(text: string): [string, string] {
  const colon = text.indexOf(':')
  return colon === -1 ? [text, ''] : [text.slice(0, colon), text.slice(colon + 1)]
}
