import {
  type AddressMove,
  type Change,
  type Edit,
  type LinkedKind,
  type LinkTargets,
  unchanged,
} from './link-targets.ts'

/** Parameters of the shop's own scripts that hold an id. Source: the links that Stencil and Blueprint themes make. */
const idParameters: Record<string, LinkedKind> = {
  product_id: 'product',
  productid: 'product',
  category_id: 'category',
  categoryid: 'category',
  category: 'category',
  brand_id: 'brand',
  brandid: 'brand',
  brand: 'brand',
  page_id: 'page',
  pageid: 'page',
}

/** Scripts whose parameter `id` says which of what they show. */
const scripts: Record<string, LinkedKind> = {
  'product.php': 'product',
  'products.php': 'product',
  'category.php': 'category',
  'categories.php': 'category',
  'brand.php': 'brand',
  'brands.php': 'brand',
  'page.php': 'page',
  'pages.php': 'page',
}

/**
 * Pictures that the platform keeps for products, values and categories: a copy of one gets a name and a folder of its own, which
 * no answer tells before it is made. Files of the image manager and of WebDAV lie elsewhere and keep their names.
 */
const pictures =
  /^\/(product_images\/(attribute_rule_images|[^/]\/\d)|images\/stencil\/[^/]+\/(products|attribute_\w+|[^/])\/)/i

const absolute = /^(https?:)?\/\/([^/?#\\\s&,;'"]*)/i
/** Placeholder of older themes for the address of the shop, which each store fills in by itself. */
const placeholder = /^%%GLOBAL_(?:ShopPath|ShopPathSSL|CdnStorePath)%%/i
const otherScheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * What an address has to be at the destination. What leads elsewhere, or is as it should be, stays as it is; one that names
 * something without a counterpart stays whole, because half of it would lead to something else.
 */
export function changeAddress(value: string, targets: LinkTargets): Change {
  const start = value.length - value.trimStart().length
  const address = value.slice(start).trimEnd()
  const found = absolute.exec(address)
  if (!found)
    return otherScheme.test(address) ? unchanged : changeRest(value, start + shopPathLength(address), [], targets)
  const [whole, scheme = '', authority = ''] = found
  const move = moveOf(authority, address.slice(whole.length), targets.moves)
  if (!move) return unchanged
  if (move.to === null) return { edits: [], unresolved: [address] }
  const end = start + whole.length + move.path.length
  const to = scheme === '' ? move.to.replace(/^https?:/i, '') : move.to
  const edits = value.slice(start, end) === to ? [] : [{ start, end, text: to }]
  return changeRest(value, end, edits, targets)
}

function shopPathLength(address: string): number {
  return placeholder.exec(address)?.[0].length ?? 0
}

/** The longest path wins: a shop may lie below another one's address. */
function moveOf(authority: string, rest: string, moves: readonly AddressMove[]): AddressMove | undefined {
  const host = hostOf(authority)
  const below = (path: string) => rest.startsWith(path) && /^([/?#&,;'"]|$)/.test(rest.slice(path.length))
  return moves
    .filter((move) => move.host === host && below(move.path))
    .reduce<AddressMove | undefined>(
      (best, move) => (best && best.path.length >= move.path.length ? best : move),
      undefined,
    )
}

/** Without who asks and the usual port; the platform serves one file from several numbered hosts. */
export function hostOf(authority: string): string {
  return authority
    .toLowerCase()
    .replace(/^.*@/, '')
    .replace(/:(80|443)$/, '')
    .replace(/^cdn\d*\.bigcommerce\.com$/, 'cdn.bigcommerce.com')
}

/** What follows the address of the shop. */
function changeRest(value: string, from: number, edits: Edit[], targets: LinkTargets): Change {
  const [path = ''] = /^[^?#\s]*/.exec(value.slice(from)) ?? []
  const query = /^\?[^#\s]*/.exec(value.slice(from + path.length))?.[0] ?? ''
  const whole = { edits: [], unresolved: [value.trim()] }
  if (pictures.test(path)) return whole
  const ids = [...idsOfPath(path, from), ...idsOfQuery(path, query, from + path.length)]
  // Choices of a product are named by ids of their own, which are not kept from every product.
  if (/[?&;]attribute(\[|%5B)/i.test(query)) return whole
  const mapped: Edit[] = []
  for (const { kind, id, start } of ids) {
    const counterpart = targets.id(kind, id)
    if (counterpart === undefined) return whole
    if (counterpart !== id) mapped.push({ start, end: start + id.length, text: counterpart })
  }
  const page = isPage(path) ? targets.path(path) : undefined
  const moved = page === undefined || page === path ? [] : [{ start: from, end: from + path.length, text: page }]
  return { edits: [...edits, ...mapped, ...moved], unresolved: [] }
}

interface NamedId {
  kind: LinkedKind
  id: string
  start: number
}

/** `/compare/12/34` names products. */
function idsOfPath(path: string, from: number): NamedId[] {
  if (!/^\/compare(\/\d+)+\/?$/i.test(path)) return []
  return [...path.matchAll(/\d+/g)].map((found) => ({ kind: 'product', id: found[0], start: from + found.index }))
}

function idsOfQuery(path: string, query: string, from: number): NamedId[] {
  const script = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (!script.endsWith('.php')) return []
  return [...query.matchAll(/[?&;]([^=&;]+)=(\d+)(?=[&;]|$)/g)].flatMap((found) => {
    const [whole, name = '', id = ''] = found
    const plain = name.toLowerCase().replace(/(\[\]|%5b%5d)$/, '')
    const kind = plain === 'id' ? scripts[script] : idParameters[plain]
    return kind && Number(id) > 0 ? [{ kind, id, start: from + found.index + whole.length - id.length }] : []
  })
}

/** Scripts and files have the same path in every store. */
function isPage(path: string): boolean {
  return (
    path.length > 1 &&
    path.startsWith('/') &&
    !/\.php$/i.test(path) &&
    !/^\/(content|images|product_images|assets)\//.test(path)
  )
}

/** An address in prose, in a script or in a style; slashes may be escaped as JSON does it. */
const inProse = /(?:https?:)?(?:\\?\/){2}[^\s"'<>()|`{}]+/gi

/** Addresses of the shop wherever they stand in a text that is no markup. */
export function changeProse(text: string, targets: LinkTargets): Change {
  const edits: Edit[] = []
  const unresolved: string[] = []
  if (targets.moves.length === 0) return unchanged
  for (const found of text.matchAll(inProse)) {
    const raw = found[0].replace(/[.,;:!?]+$/, '')
    // `a//b` is no address.
    if (/^\\?\//.test(raw) && /[\w:\\/]/.test(text[found.index - 1] ?? '')) continue
    const plain = raw.replaceAll('\\/', '/')
    const change = changeAddress(plain, targets)
    unresolved.push(...change.unresolved)
    if (change.edits.length === 0) continue
    if (plain === raw)
      edits.push(
        ...change.edits.map((edit) => ({ ...edit, start: edit.start + found.index, end: edit.end + found.index })),
      )
    else edits.push({ start: found.index, end: found.index + raw.length, text: escapedAgain(plain, change.edits) })
  }
  return { edits, unresolved }
}

function escapedAgain(plain: string, edits: readonly Edit[]): string {
  let result = plain
  for (const { start, end, text } of [...edits].sort((one, other) => other.start - one.start))
    result = result.slice(0, start) + text + result.slice(end)
  return result.replaceAll('/', '\\/')
}
