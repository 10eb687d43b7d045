import {
  type AddressMove,
  type Change,
  type Edit,
  type LinkedKind,
  type LinkedStorefront,
  type LinkTargets,
  unchanged,
} from './link-targets.ts'

/**
 * Query parameters of the shop's scripts that contain an id. Source: the links that Stencil and Blueprint themes make.
 */
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

/** Scripts whose `id` parameter is the item they show. */
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
 * Pictures that the platform keeps for products, option values and categories: a copy gets another name and folder,
 * which no response shows before it exists. Files of the image manager and of WebDAV are elsewhere and keep their
 * names.
 */
const pictures =
  /^\/(product_images\/(attribute_rule_images|[^/]\/\d)|images\/stencil\/[^/]+\/(products|attribute_\w+|[^/])\/)/i

const absolute = /^(https?:)?\/\/([^/?#\\\s&,;'"]*)/i
/** Placeholder of older themes for the shop's address, which each store replaces itself. */
const placeholder = /^%%GLOBAL_(?:ShopPath|ShopPathSSL|CdnStorePath)%%/i
const otherScheme = /^[a-z][a-z0-9+.-]*:/i

/**
 * Rewrites an address for the destination. An address that leads elsewhere or needs no change stays as it is. One that
 * refers to something without a counterpart is left unchanged as a whole, because changing half of it would lead to
 * something else.
 */
export function changeAddress(value: string, targets: LinkTargets): Change {
  const start = value.length - value.trimStart().length
  const address = value.slice(start).trimEnd()
  const found = absolute.exec(address)
  if (!found)
    return otherScheme.test(address)
      ? unchanged
      : changeRest(value, start + shopPathLength(address), [], targets, undefined)
  const [whole, scheme = '', authority = ''] = found
  const move = moveOf(authority, address.slice(whole.length), targets.moves)
  if (!move) return unchanged
  if (move.to === null) return { edits: [], unresolved: [address] }
  const end = start + whole.length + move.path.length
  const to = scheme === '' ? move.to.replace(/^https?:/i, '') : move.to
  const edits = value.slice(start, end) === to ? [] : [{ start, end, text: to }]
  return changeRest(value, end, edits, targets, move.storefront)
}

function shopPathLength(address: string): number {
  return placeholder.exec(address)?.[0].length ?? 0
}

/** The longest path wins: one shop may be below another one's address. */
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

/** Without user info and default port. The platform serves the same file from several numbered hosts. */
export function hostOf(authority: string): string {
  return authority
    .toLowerCase()
    .replace(/^.*@/, '')
    .replace(/:(80|443)$/, '')
    .replace(/^cdn\d*\.bigcommerce\.com$/, 'cdn.bigcommerce.com')
}

/** The part after the shop's address. */
function changeRest(
  value: string,
  from: number,
  edits: Edit[],
  targets: LinkTargets,
  storefront: LinkedStorefront | undefined,
): Change {
  const [path = ''] = /^[^?#\s]*/.exec(value.slice(from)) ?? []
  const query = /^\?[^#\s]*/.exec(value.slice(from + path.length))?.[0] ?? ''
  const whole = { edits: [], unresolved: [value.trim()] }
  if (pictures.test(path)) return whole
  const ids = [...idsOfPath(path, from), ...idsOfQuery(path, query, from + path.length)]
  // A product's choices have ids of their own, which are not recorded for every product.
  if (/[?&;]attribute(\[|%5B)/i.test(query)) return whole
  const mapped: Edit[] = []
  for (const { kind, id, start } of ids) {
    const counterpart = targets.id(kind, id)
    if (counterpart === undefined) return whole
    if (counterpart !== id) mapped.push({ start, end: start + id.length, text: counterpart })
  }
  const page = isPage(path) ? targets.path(path, storefront) : undefined
  const moved = page === undefined || page === path ? [] : [{ start: from, end: from + path.length, text: page }]
  return { edits: [...edits, ...mapped, ...moved], unresolved: [] }
}

interface NamedId {
  kind: LinkedKind
  id: string
  start: number
}

/** `/compare/12/34` contains product ids. */
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

/** An address in prose, in a script or in a style; slashes may be escaped as in JSON. */
const inProse = /(?:https?:)?(?:\\?\/){2}[^\s"'<>()|`{}]+/gi

/** Rewrites addresses of the shop anywhere in a text that is not markup. */
export function changeProse(text: string, targets: LinkTargets): Change {
  const edits: Edit[] = []
  const unresolved: string[] = []
  if (targets.moves.length === 0) return unchanged
  for (const found of text.matchAll(inProse)) {
    const raw = found[0].replace(/[.,;:!?]+$/, '')
    // `a//b` is not an address.
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
