import { changeAddress, changeProse } from './address.ts'
import { type Attribute, attributesOf } from './attribute-values.ts'
import {
  type Change,
  type Edit,
  type LinkedKind,
  type LinkTargets,
  movedBy,
  type Rewriting,
  together,
  unchanged,
  withEdits,
} from './link-targets.ts'

/** Attributes that contain one address. */
const addressed = new Set([
  'href',
  'xlink:href',
  'src',
  'data-src',
  'data-href',
  'data-url',
  'data-background',
  'action',
  'formaction',
  'poster',
  'background',
  'cite',
  'data',
  'longdesc',
])

/** Attributes that contain a list of addresses, each with a width or density. */
const listed = new Set(['srcset', 'imagesrcset', 'data-srcset'])

/** Attributes in which themes put the id of an element's item. */
const identified: Record<string, LinkedKind> = {
  'data-product-id': 'product',
  'data-productid': 'product',
  'data-entity-id': 'product',
  'data-compare-id': 'product',
  'data-category-id': 'category',
  'data-brand-id': 'brand',
  'data-page-id': 'page',
}

/** Fields of add-to-cart forms. */
const fields: Record<string, LinkedKind> = { product_id: 'product', 'product_id[]': 'product' }

/**
 * Rewrites HTML of the source for the destination. Only the changed parts of values are replaced, at their offsets;
 * everything else keeps every byte.
 */
export function rewriteHtml(html: string, targets: LinkTargets): Rewriting {
  const changes: Change[] = []
  let read = 0
  for (const attribute of attributesOf(html)) {
    // Everything between attributes: text, scripts, styles, comments and tag names.
    changes.push(movedBy(changeProse(html.slice(read, attribute.start), targets), read))
    changes.push(inText(attribute, changeAttribute(attribute, targets)))
    read = attribute.end
  }
  changes.push(movedBy(changeProse(html.slice(read), targets), read))
  return rewritingOf(html, together(changes))
}

export function rewritingOf(text: string, { edits, unresolved }: Change): Rewriting {
  return { text: withEdits(text, edits), rewritten: edits.length, unresolved }
}

function changeAttribute(attribute: Attribute, targets: LinkTargets): Change {
  const { name, value } = attribute
  if (addressed.has(name)) return changeAddress(value, targets)
  if (listed.has(name)) return changeEach(value, targets)
  const kind = identified[name] ?? fieldOf(attribute)
  return kind ? changeId(value, kind, targets) : changeProse(value, targets)
}

function fieldOf({ tag, name, beside }: Attribute): LinkedKind | undefined {
  return tag === 'input' && name === 'value' ? fields[beside.get('name')?.value ?? ''] : undefined
}

function changeId(value: string, kind: LinkedKind, targets: LinkTargets): Change {
  const found = /^\s*([1-9]\d*)\s*$/.exec(value)
  const id = found?.[1]
  if (id === undefined) return unchanged
  const counterpart = targets.id(kind, id)
  if (counterpart === undefined) return { edits: [], unresolved: [`${kind} ${id}`] }
  const start = value.indexOf(id)
  return counterpart === id
    ? unchanged
    : { edits: [{ start, end: start + id.length, text: counterpart }], unresolved: [] }
}

/** Source: HTML standard, "srcset attributes": each address is followed by descriptors, up to a comma. */
const candidate = /[\s,]*(\S+?)(?:,+(?=\s|$)|(?=\s)[^,]*|$)/gy

function changeEach(value: string, targets: LinkTargets): Change {
  const found = [...value.matchAll(candidate)]
  return together(
    found.map(({ 0: whole, 1: address = '', index }) =>
      movedBy(changeAddress(address, targets), index + whole.indexOf(address)),
    ),
  )
}

/** Maps offsets in the value to offsets in the text, and escapes what is inserted. */
function inText(attribute: Attribute, { edits, unresolved }: Change): Change {
  const written = (edit: Edit): Edit => ({
    start: attribute.at(edit.start),
    end: attribute.at(edit.end),
    text: edit.text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  })
  return { edits: edits.map(written), unresolved }
}
