import type { IssueCode } from '../contract/issue-codes.ts'
import { isServerFault } from '../contract/primitives/http-status.ts'
import { causeOf, nothingThere } from './refusal-reason.ts'

/** What a rule sees of an open issue. */
export interface HealableIssue {
  severity: 'failure' | 'warning'
  code: IssueCode
  /** The platform's response; null if it was not called. */
  platform: Refused | null
  /** Such items are created in batches. */
  batched: boolean
  /** The platform creates such items along with others. */
  comesWithOthers: boolean
}

export interface Refused {
  method: string
  /** 0 if there was no response. */
  status: number
  /** In our own words for personal and secret items. */
  title: string
  errors: Record<string, string>
}

/**
 * What must have changed before another try, which would otherwise fail the same way (F4). `time`: nothing, it is tried
 * in every pass. `once`: it is tried once, then only on request. `manual`: only on request. `key-matches`: the
 * conflicting items at the destination. `references`: which referenced items exist. `pruned`: destination-only items
 * were deleted. `arrival`: the item exists at the destination.
 */
export type Precondition = 'time' | 'once' | 'manual' | 'key-matches' | 'references' | 'pruned' | 'arrival'

export interface HealingRule {
  name: string
  applies(issue: HealableIssue): boolean
  precondition: Precondition
  /** The item is sent separately, not in a batch. */
  alone?: true
  /** The message after the rule helped. `called` is the item's name. */
  message(called: string): string
}

/** Applies to the list of a whole pass, not to an item. */
export const readAgainRule: HealingRule = {
  name: 'read-again',
  applies: ({ code }) => code === 'list_refused',
  precondition: 'time',
  message: (called) => `The list of ${called} was read on a later attempt.`,
}

/** The first rule that applies is tried. */
export const healingRules: readonly HealingRule[] = [
  {
    name: 'retry-transient',
    applies: ({ code, platform }) =>
      ['unexpected', 'deleted_meanwhile', 'call_refused'].includes(code) ||
      (code === 'platform_refused' && passes(platform)),
    precondition: 'time',
    message: (called) => `${called} was copied on retry.`,
  },
  {
    name: 'without-picture',
    applies: ({ code, platform }) =>
      code === 'picture_not_fetched' || (code === 'platform_refused' && isAboutPicture(platform)),
    precondition: 'once',
    message: (called) => `${called} was copied without its pictures, which were then added one by one.`,
  },
  {
    name: 'another-address',
    applies: ({ code, platform }) => code === 'platform_refused' && isAboutAddress(platform),
    precondition: 'once',
    message: (called) => `${called} was copied with a web address that the platform chose.`,
  },
  {
    name: 'own-address',
    applies: ({ code }) => code === 'address_changed',
    precondition: 'pruned',
    message: (called) => `${called} now has the same web address as in the source.`,
  },
  {
    name: 'stale-reference',
    applies: ({ code, platform }) => code === 'platform_refused' && isAboutReference(platform),
    precondition: 'once',
    // In a batch it is not certain which item the response is about.
    alone: true,
    message: (called) =>
      `${called} referred to an item that was deleted at the destination; its references were looked up again.`,
  },
  {
    name: 'adopt',
    applies: ({ code, platform }) =>
      code === 'natural_key_conflict' ||
      code === 'natural_key_collision' ||
      (code === 'platform_refused' && isTaken(platform)),
    precondition: 'key-matches',
    message: (called) => `The item in conflict with ${called} is gone, or is its copy now.`,
  },
  {
    name: 'map-parents',
    applies: ({ code }) => code === 'missing_reference' || code === 'parent_failed' || code === 'reference_left_out',
    precondition: 'references',
    message: (called) => `${called} was copied now that the items it needs exist.`,
  },
  {
    name: 'arrived',
    applies: ({ code, comesWithOthers }) => code === 'not_copied' && comesWithOthers,
    precondition: 'arrival',
    message: (called) => `${called} was created by the platform together with its parent.`,
  },
  {
    name: 'split-batch',
    applies: ({ code, batched }) => code === 'platform_refused' && batched,
    precondition: 'once',
    alone: true,
    message: (called) => `${called} was refused in a batch and accepted on its own.`,
  },
  readAgainRule,
  {
    name: 'corrected',
    applies: ({ severity }) => severity === 'failure',
    precondition: 'manual',
    message: (called) => `${called} was copied on a requested retry.`,
  },
]

/** Undefined when only a person can resolve the issue. */
export function ruleFor(issue: HealableIssue): HealingRule | undefined {
  return healingRules.find((rule) => rule.applies(issue))
}

/** Real stores return a 422 if the name or value of an option or modifier is taken, or the name of a page. */
export function isTaken(platform: Refused | null): boolean {
  if (platform === null) return false
  const isPage = Object.values(platform.errors).some((text) => /must be unique/.test(text))
  return platform.status === 409 || isPage || /already (been )?used on this (product|option)/.test(platform.title)
}

/** Transient: no response, too many requests, or a server error. */
export function passes(platform: Refused | null): boolean {
  return platform !== null && (platform.status === 0 || platform.status === 429 || isServerFault(platform.status))
}

const pictureField = /(^|\.)image_(url|file)$/

/**
 * The platform could not use a picture. The field, the title or the messages show it. Sources: BigCommerce "Images by
 * URL" (400 or 422, with or without the field), and responses of real stores, which mention the field in the title or
 * give only the reason.
 */
export function isAboutPicture(refused: Pick<Refused, 'title' | 'errors'> | null): boolean {
  if (refused === null) return false
  if (Object.keys(refused.errors).some((field) => pictureField.test(field))) return true
  return [refused.title, ...Object.values(refused.errors)].some((text) => pictureRefusals.test(text))
}

/** Message for a picture that we upload ourselves and could not download. */
export const pictureNotFetched = 'The picture could not be downloaded from the source shop'

const pictureRefusals = new RegExp(
  [
    'could not be downloaded',
    'could not be processed and may not be valid image',
    "field '(images\\.\\d+\\.)?image_(url|file)' is invalid",
    'size limit for upload image',
  ].join('|'),
  'i',
)

/** Pictures that a refusal mentions: the item's own, and those in its lists by position. */
export interface NamedPictures {
  own: boolean
  images: number[]
  variants: number[]
}

/** Null if it does not say which picture is at fault; then all are suspects. */
export function namedPictures({ errors }: Pick<Refused, 'errors'>): NamedPictures | null {
  const named = Object.keys(errors).filter((field) => pictureField.test(field))
  const indexes = (list: string) =>
    named.flatMap((field) => {
      const index = new RegExp(`^${list}\\.(\\d+)\\.`).exec(field)?.[1]
      return index === undefined ? [] : [Number(index)]
    })
  const found = {
    own: named.some((field) => !field.includes('.')),
    images: indexes('images'),
    variants: indexes('variants'),
  }
  return found.own || found.images.length > 0 || found.variants.length > 0 ? found : null
}

/** The web address is taken or invalid. Rows of a batch have their position before the field. */
export function isAboutAddress(refused: Pick<Refused, 'errors'> | null): boolean {
  return refused !== null && Object.keys(refused.errors).some((field) => /^(\d+\.)?(custom_url|url)(\.|$)/.test(field))
}

/**
 * A field that refers to another item, at any depth: `brand_id`, `0.to.entity_id`, `items.0.variant_id`, `categories`.
 */
const referenceField = /(^|\.)(\w+_(id|ids|uuid)|categories)(\.\d+)*$/

/** Keys of a response that are not fields: a row of a batch, or a text about the whole call. */
const noField = /^(\d+|detail|invalid_reason)?$/

/**
 * The item refers to something that the destination does not have. The reason decides, because some responses contain
 * no field: for a coupon, real stores return a 400 with "Category id 100 does not exist." If the reason is unknown, a
 * field that refers to another item decides. A 404 is about the copy itself, unless it answers a create call.
 */
function isAboutReference(refused: Refused | null): boolean {
  if (refused === null || !refusesReference.includes(refused.status)) return false
  const { method, status, title, errors } = refused
  const fields = Object.keys(errors).filter((field) => !noField.test(field))
  const isNamed = fields.some((field) => referenceField.test(field))
  const cause = causeOf({ title, errors })
  if (cause === undefined) return isNamed && status !== 400
  return cause === nothingThere && (isNamed || (fields.length === 0 && (status !== 404 || method === 'POST')))
}

const refusesReference: readonly number[] = [400, 404, 409, 422]

/** Passes per round of healing. */
export const mostPasses = 3
const mostMs = 3600 * 1000

/** Time limit of a round of healing: a quarter of the run's working time, an hour at most (F4). */
export function healingBudgetMs(workedMs: number): number {
  return Math.min(workedMs / 4, mostMs)
}

/**
 * Whether a rule is worth trying: its precondition must have changed since the last try. A null fingerprint means that
 * it does not hold.
 */
export function mayTry(fingerprint: string | null, triedBefore: string | undefined): boolean {
  return fingerprint !== null && fingerprint !== triedBefore
}
