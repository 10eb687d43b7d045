import type { IssueCode } from '../contract/issue-codes.ts'

/** What a rule looks at: an open issue as it was told. */
export interface HealableIssue {
  severity: 'failure' | 'warning'
  code: IssueCode
  /** What the platform answered; null when it was not asked. */
  platform: Refused | null
  /** Calls that create such items carry several of them. */
  batched: boolean
  /** Such items come by themselves with others. */
  platformCreated: boolean
}

export interface Refused {
  /** 0 when there was no answer. */
  status: number
  title: string
  errors: Record<string, string>
}

/**
 * What must have changed since the last try; otherwise the same would happen again (F4).
 *
 * - `time`: nothing else, so every pass tries it.
 * - `request`: once in a run, and again each time a person asks for it.
 * - `on-request`: only when a person asks for it.
 * - `key-matches`: the destination items with one of its keys.
 * - `references`: which of the items that it refers to exist.
 * - `pruned`: items that only the destination had were deleted.
 * - `arrival`: the item itself exists at the destination.
 */
export type Precondition = 'time' | 'request' | 'on-request' | 'key-matches' | 'references' | 'pruned' | 'arrival'

export interface HealingRule {
  name: string
  applies(issue: HealableIssue): boolean
  precondition: Precondition
  /** Sent by a call of its own, whatever its component does otherwise. */
  alone?: true
  /** What it did, once it helped. `called` is the item. */
  message(called: string): string
}

/** In the order they are asked: the first that applies is tried. */
export const healingRules: readonly HealingRule[] = [
  {
    name: 'retry-transient',
    applies: ({ code, platform }) => code === 'unexpected' || (code === 'platform_refused' && passes(platform)),
    precondition: 'time',
    message: (called) => `${called} was tried again and is there.`,
  },
  {
    name: 'without-picture',
    applies: ({ code, platform }) =>
      code === 'picture_not_fetched' || (code === 'platform_refused' && isAboutPicture(platform)),
    precondition: 'request',
    message: (called) => `${called} was copied apart from its pictures, and these one by one.`,
  },
  {
    name: 'another-address',
    applies: ({ code, platform }) => code === 'platform_refused' && isAboutAddress(platform),
    precondition: 'request',
    message: (called) => `${called} was copied and got its web address from the platform.`,
  },
  {
    name: 'own-address',
    applies: ({ code }) => code === 'address_changed',
    precondition: 'pruned',
    message: (called) => `${called} has the web address it has in the source.`,
  },
  {
    name: 'stale-reference',
    applies: ({ code, platform }) => code === 'platform_refused' && isAboutReference(platform),
    precondition: 'request',
    message: (called) => `What ${called} names had been deleted at the destination; it was looked for again.`,
  },
  {
    name: 'adopt',
    applies: ({ code, platform }) =>
      code === 'natural_key_conflict' ||
      code === 'natural_key_collision' ||
      (code === 'platform_refused' && platform?.status === 409),
    precondition: 'key-matches',
    message: (called) => `What stood in the way of ${called} is gone, or was taken as its copy.`,
  },
  {
    name: 'map-parents',
    applies: ({ code }) => code === 'missing_reference' || code === 'parent_failed' || code === 'reference_left_out',
    precondition: 'references',
    message: (called) => `What ${called} needs is there by now, and so is the item.`,
  },
  {
    name: 'arrived',
    applies: ({ code, platformCreated }) => code === 'not_copied' && platformCreated,
    precondition: 'arrival',
    message: (called) => `${called} came with what it belongs to.`,
  },
  {
    name: 'split-batch',
    applies: ({ code, batched }) => code === 'platform_refused' && batched,
    precondition: 'request',
    alone: true,
    message: (called) => `${called} had been refused together with others; by itself it was taken.`,
  },
  {
    name: 'corrected',
    applies: ({ severity }) => severity === 'failure',
    precondition: 'on-request',
    message: (called) => `${called} was tried again when asked for and is there.`,
  },
]

/** Undefined when nothing can be done about it but by a person. */
export function ruleFor(issue: HealableIssue): HealingRule | undefined {
  return healingRules.find((rule) => rule.applies(issue))
}

/** A bad minute of the store: no answer, too many requests, or a fault of its own. */
function passes(platform: Refused | null): boolean {
  return platform !== null && (platform.status === 0 || platform.status === 429 || platform.status >= 500)
}

const pictureField = /(^|\.)image_(url|file)$/

/** The platform could not take a picture in. Source: bigcommerce "Images by URL": 400 or 422, with or without the field. */
export function isAboutPicture(refused: Pick<Refused, 'title' | 'errors'> | null): boolean {
  if (refused === null) return false
  return Object.keys(refused.errors).some((field) => pictureField.test(field)) || couldNotFetch(refused)
}

/** What is said of a picture that the platform takes as bytes, where its address in the source gives none. */
export const pictureNotFetched = 'The picture could not be downloaded from the source shop'

function couldNotFetch({ title }: Pick<Refused, 'title'>): boolean {
  return /could not be downloaded/i.test(title)
}

/** Pictures that a refusal names: the item's own, and those of its lists by their places. */
export interface NamedPictures {
  own: boolean
  images: number[]
  variants: number[]
}

/** Null when it says only that one of them was no good: then every one is suspected. */
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

/** Another item has the web address, or it is none. */
export function isAboutAddress(refused: Pick<Refused, 'errors'> | null): boolean {
  return refused !== null && Object.keys(refused.errors).some((field) => /^(custom_url|url)(\.|$)/.test(field))
}

function isAboutReference(refused: Refused | null): boolean {
  if (refused === null || (refused.status !== 409 && refused.status !== 422 && refused.status !== 404)) return false
  const reference = /^(brand_id|categories|category_id|tax_class_id|parent_id|product_id|resource_id)(\.|$)/
  return Object.keys(refused.errors).some((field) => reference.test(field))
}

/** Passes of one round of healing. */
export const mostPasses = 3
const mostMs = 3600 * 1000

/** What a round of healing may take: a quarter of the time the run has worked, an hour at most (F4). */
export function healingBudgetMs(workedMs: number): number {
  return Math.min(workedMs / 4, mostMs)
}

/**
 * Whether a rule is worth a try: its precondition changed since the last one. Null: it does not hold at all.
 */
export function mayTry(fingerprint: string | null, triedBefore: string | undefined): boolean {
  return fingerprint !== null && fingerprint !== triedBefore
}
