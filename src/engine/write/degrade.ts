import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { componentOf } from '../../entities/registry.ts'
import { isAboutAddress, isAboutPicture, namedPictures } from '../../model/healing.ts'
import type { Refusal } from '../send/writes.ts'

/** An item to send without what the platform refused. */
export interface Degraded {
  sent: Draft
  /** What the item itself is sent without; null when only its children go without something. */
  degradedBy: 'picture' | 'address' | null
}

/**
 * The draft without the picture, web address or children that may be why the platform refused it (F4). Undefined when
 * the refusal is about something else, or nothing is left to omit.
 */
export function withoutRefused(draft: Draft, refusal: Refusal): Degraded | undefined {
  if (isAboutPicture(refusal)) return withoutPictures(draft, refusal)
  if (isAboutAddress(refusal) && (draft.body.custom_url || draft.body.url)) {
    const { custom_url: _custom, url: _url, ...body } = draft.body
    return { sent: { ...draft, body, path: null }, degradedBy: 'address' }
  }
  return isOfContent(refusal) ? withoutChildren(draft) : undefined
}

/**
 * Omits all suspect children, because an answer does not say reliably which child it is about; those that the platform
 * accepts nowhere else only when no others are left.
 */
function withoutChildren(draft: Draft): Degraded | undefined {
  const suspects = draft.children.filter((child) => child.inline && componentOf(child.component).sentAlone)
  if (suspects.length === 0) return undefined
  const others = suspects.filter((child) => componentOf(child.component).sentAlone?.(child))
  const omitted = new Set(others.length > 0 ? others : suspects)
  const children = draft.children.map((child) => (omitted.has(child) ? { ...child, inline: false } : child))
  return { sent: { ...draft, children }, degradedBy: null }
}

/** A dry run names the rule instead of an answer. */
function isOfContent({ httpStatus, rule }: Refusal): boolean {
  return httpStatus === 400 || httpStatus === 422 || rule !== undefined
}

function withoutPictures(draft: Draft, refusal: Refusal): Degraded | undefined {
  const images = inlineOf(draft, 'images')
  const variants = inlineOf(draft, 'variants')
  const suspects = [...images, ...variants.filter(hasPicture)]
  const named = namedPictures(refusal)
  const ownIsNamed = named?.own === true && hasPicture(draft)
  const childrenNamed = [
    ...(named?.images ?? []).map((at) => images[at]),
    ...(named?.variants ?? []).map((at) => variants[at]),
  ].filter((child) => child !== undefined)
  // Some answers name the field without the position of the picture.
  const anyNamed = ownIsNamed || childrenNamed.length > 0
  const bad = new Set(anyNamed ? childrenNamed : suspects)
  const own = anyNamed ? ownIsNamed : hasPicture(draft)
  const children = draft.children.map((child) => (bad.has(child) ? bare(child) : child))
  const nothingLeft = !own && children.every((child, at) => child === draft.children[at])
  if (nothingLeft) return undefined
  const sent = own ? bared(draft) : draft
  return { sent: { ...sent, children }, degradedBy: own ? 'picture' : null }
}

/** An image is left out of the call. A variant is sent without its picture. */
function bare(child: Draft): Draft {
  if (!componentOf(child.component).withoutPicture) return { ...child, inline: false }
  return hasPicture(child) ? bared(child) : child
}

/** A dry run takes the sent item for the existing one: the empty file shows it that the picture is missing. */
function bared(draft: Draft): Draft {
  return { ...draft, body: withoutPicture(draft.body), compare: { ...draft.compare, image_file: '' } }
}

/**
 * The item as it should be after it was created degraded: children with a suspect picture are written by calls of their
 * own.
 */
export function desiredAfterwards(draft: Draft, sent: Draft): Draft {
  const children = draft.children.map((child, at) =>
    sent.children[at] === child ? child : { ...child, inline: false },
  )
  return { ...draft, body: sent.body, children }
}

function inlineOf(draft: Draft, field: string): Draft[] {
  return draft.children.filter((child) => child.inline && componentOf(child.component).inlineAs === field)
}

function hasPicture({ body }: Draft): boolean {
  return typeof body.image_url === 'string' && body.image_url !== ''
}

export function withoutPicture({ image_url: _picture, ...body }: PlatformItem): PlatformItem {
  return body
}
