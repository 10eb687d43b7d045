import { type IssueCode, issueRemedies } from '../contract/issue-codes.ts'

/** Topic of a finding. The component that lists it determines the phase it is reported in. */
export type FindingTopic =
  | keyof StoreSettings
  | 'exchange-rates'
  | 'channels'
  | 'digital-files'
  | 'webdav-files'
  | 'shared-options'
  | 'gift-wraps'
  | 'payments'
  | 'metafields-of-others'
  | 'overrides'
  | 'consents'
  | 'payments-in-currencies'
  | 'carriers'
  | 'promotions-left-off'
  | 'originals'
  | 'destination'

/** Something to know before a copy begins: what it means, and what to do. It becomes a warning of the run. */
export type Finding = Noticed & { remedy: string }

/** Without a remedy of its own, it has that of its code. */
type Noticed = { code: IssueCode; message: string; remedy?: string } & (
  | { about: FindingTopic }
  /** About the number of items of a component. */
  | { component: string }
)

/** Settings that give a store's numbers their meaning. Source: `GET /v2/store`. */
export interface StoreSettings {
  currency?: string | undefined
  weight_units?: string | undefined
  dimension_units?: string | undefined
  is_price_entered_with_tax?: boolean | undefined
}

/** The number of items of a component with a limit per store. */
export interface StoreTotal {
  component: string
  label: string
  most: number
  /** Null if unknown. */
  source: number | null
  destination: number | null
  /** Items already copied from this source. */
  mapped: number
}

/** Counts among the first products of the source. */
export interface ProductSample {
  looked: number
  /** Products of the whole store. */
  total: number
  withStoreFiles: number
  withSharedOptions: number
  withGiftWraps: number
}

export interface PreflightFacts {
  settings: { source: StoreSettings; destination: StoreSettings }
  totals: readonly StoreTotal[]
  sample: ProductSample
  /** Null if unknown. */
  digitalProducts: number | null
  paymentMethods: number | null
  metafields: { looked: number; ofOthers: number } | null
  /** Whether the store asks shoppers for tracking consent; null if unknown or not relevant. */
  consentEnabled: boolean | null
  /** Whether the destination's token belongs to a different API account than the one that created the copies. */
  clientChanged: boolean
  channels: { storefronts: number; unpaired: string[] }
  activeStorefrontLimit: number | null
  pictures: PictureFacts
  /** Other stores with copies at the destination that the run may overwrite. */
  otherSources: OtherSources
  /** Codes of currencies in which only the source accepts payments. */
  currenciesPaidIn: string[]
  carriers: CarrierFacts
  promotions: PromotionFacts
}

export interface OtherSources {
  /** Labels of the stores. */
  stores: string[]
  /** Kinds of items, by component. */
  components: { key: string; label: string }[]
}

/** Shipping methods in the first zones of the source. */
export interface CarrierFacts {
  looked: number
  /** Zones of the whole store. */
  total: number
  /** Carriers that quote the prices of those zones, one entry per method. */
  quoting: string[]
}

/** Promotions of the source that are enabled. */
export interface PromotionFacts {
  looked: number
  /** How many of them refer to something that neither this run nor an earlier one copies. */
  incomplete: number
  /** What they refer to, in words. */
  missingNames: string[]
}

export interface PictureFacts {
  /** Pictures requested, and pictures whose original was served. */
  looked: number
  served: number
  /** Originals are copied. */
  originals: boolean
}

export function findings(facts: PreflightFacts): Finding[] {
  const noticed = [
    ...differentSettings(facts.settings),
    ...otherRates(facts.settings),
    ...beyondLimits(facts),
    ...unpairedChannels(facts),
    ...notCopied(facts),
    ...reducedPictures(facts),
    ...copiesOfOthers(facts),
    ...otherClient(facts),
  ]
  return noticed.map((one) => ({ ...one, remedy: one.remedy ?? issueRemedies[one.code] }))
}

const settings: [keyof StoreSettings, name: string, consequence: string][] = [
  ['currency', 'default currency', 'Prices are copied as numbers and not converted'],
  ['weight_units', 'weight unit', 'Weights are copied as numbers and not converted'],
  ['dimension_units', 'length unit', 'Widths, heights and depths are copied as numbers and not converted'],
  [
    'is_price_entered_with_tax',
    'way prices are entered (with tax or without)',
    'Prices are copied as they are entered',
  ],
]

/** Settings that a store does not report are not compared. */
function differentSettings({ source, destination }: PreflightFacts['settings']): Noticed[] {
  return settings.flatMap(([key, name, consequence]) => {
    const [ours, theirs] = [source[key], destination[key]]
    if (ours === undefined || theirs === undefined || ours === theirs) return []
    const message = `The ${name} is ${said(ours)} in the source store and ${said(theirs)} in the destination store. ${consequence}.`
    return { code: 'different_setting', about: key, message }
  })
}

/** Exchange rates are relative to the default currency. */
function otherRates({ source, destination }: PreflightFacts['settings']): Noticed[] {
  const [ours, theirs] = [source.currency, destination.currency]
  if (ours === undefined || theirs === undefined || ours === theirs) return []
  const message = `Exchange rates are copied as they are, except for that of ${theirs}, the default currency of the destination store, which stays. They are relative to ${ours}, the default currency of the source store.`
  return [{ code: 'different_setting', about: 'exchange-rates', message }]
}

function said(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? '"with tax"' : '"without tax"'
}

/** Mapped items already exist at the destination. */
function beyondLimits({ totals }: PreflightFacts): Noticed[] {
  return totals.flatMap(({ component, label, most, source, destination, mapped }) => {
    if (source === null || destination === null) return []
    const requested = destination + Math.max(0, source - mapped)
    if (requested <= most) return []
    const message = `The destination store can have ${most} ${label.toLowerCase()}. With those of the source store it would have up to ${requested}, and the platform would refuse the rest.`
    return { code: 'platform_limit' as const, component, message }
  })
}

function unpairedChannels({ channels: { unpaired }, activeStorefrontLimit }: PreflightFacts): Noticed[] {
  if (unpaired.length === 0) return []
  const limit = activeStorefrontLimit === null ? '' : ` Its plan allows ${activeStorefrontLimit} active storefronts.`
  const message = `The destination store has no channel with the same name, type and platform for ${listed(unpaired)}. Channels are not created, and products are copied without being assigned to them.${limit}`
  return [{ code: 'channel_unpaired', about: 'channels', message }]
}

function copiesOfOthers({ otherSources: { stores, components } }: PreflightFacts): Noticed[] {
  const [first] = components
  if (!first) return []
  const kinds = components.map(({ label }) => label.toLowerCase())
  const message = `The destination store has copies from ${listed(stores)} too (${kinds.join(', ')}). This migration overwrites those that the source store has as well; skip leaves them alone.`
  return [{ code: 'copy_of_other_source', component: first.key, message }]
}

const mostListed = 5

function listed(names: string[]): string {
  const shown = names.slice(0, mostListed).map((name) => `"${name}"`)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Content of the store that the platform's API does not return or does not accept. Each topic has its own remedy. */
function notCopied(facts: PreflightFacts): Noticed[] {
  return [...ofProducts(facts), ...aroundProducts(facts)].flatMap(([when, about, message, remedy]) =>
    when ? { code: 'not_copied' as const, about, message, remedy } : [],
  )
}

function counted(count: number | null, one: string, several: string): string {
  return `${count} ${count === 1 ? one : several}`
}

type PossibleFinding = [when: boolean, about: FindingTopic, message: string, remedy: string]

function ofProducts(facts: PreflightFacts): PossibleFinding[] {
  const { sample, digitalProducts, paymentMethods, metafields, channels } = facts
  const some = (count: number, one: string, several: string) =>
    `${count} of the ${sample.looked} sampled products ${count === 1 ? one : several}`
  return [
    [
      (digitalProducts ?? 0) > 0,
      'digital-files',
      `The files of ${counted(digitalProducts, 'digital product', 'digital products')} are not copied, because the platform's API does not provide them.`,
      'Upload each file to its product in the control panel of the destination before shoppers can buy it.',
    ],
    [
      sample.withStoreFiles > 0,
      'webdav-files',
      `${some(sample.withStoreFiles, 'uses', 'use')} files of the source store in their descriptions (/content, /product_images/uploaded_images), which the platform's API does not provide. The copied descriptions show them as soon as the destination has them.`,
      'Copy both folders to the destination by WebDAV.',
    ],
    [
      sample.withSharedOptions > 0,
      'shared-options',
      `${some(sample.withSharedOptions, 'has', 'have')} options of a shared option set. At the destination each product has options of its own, which shoppers see as before.`,
      'There is nothing to do. Make later changes to these options at each product.',
    ],
    [
      sample.withGiftWraps > 0,
      'gift-wraps',
      `${some(sample.withGiftWraps, 'offers', 'offer')} selected gift wraps, which the platform's API does not provide.`,
      'Create the gift wraps in the control panel of the destination and choose them at these products.',
    ],
    [
      (paymentMethods ?? 0) > 0,
      'payments',
      `The source store accepts payments by ${counted(paymentMethods, 'method', 'methods')}. The platform's API cannot set up payments.`,
      'Set up each payment method in the control panel of the destination, and place a test order before the store opens.',
    ],
    [
      (metafields?.ofOthers ?? 0) > 0,
      'metafields-of-others',
      `${metafields?.ofOthers} of the ${metafields?.looked} sampled product metafields were made by other apps or API accounts than the rest. Their copies will all belong to the account of the destination's token. Metafields private to an app cannot be read at all.`,
      'Install these apps at the destination, so that they write their own metafields.',
    ],
    [
      channels.storefronts > 1,
      'overrides',
      `The source store has ${channels.storefronts} storefronts. Product texts for a single storefront or language are not available in the platform's REST API; the general texts are copied.`,
      'Enter the texts for single storefronts and languages in the control panel of the destination.',
    ],
  ]
}

function aroundProducts({ consentEnabled, currenciesPaidIn, carriers, promotions }: PreflightFacts): PossibleFinding[] {
  return [
    [
      consentEnabled === true,
      'consents',
      'The source store asks shoppers for consent to tracking. Their answers are not copied, and copied customers are asked again if the destination asks.',
      'There is nothing to do if they may be asked again. To copy their answers, turn on `customerConsent`.',
    ],
    [
      currenciesPaidIn.length > 0,
      'payments-in-currencies',
      `The source store accepts payments in ${currenciesPaidIn.join(', ')} and the destination store does not. The platform's API creates currencies for display only.`,
      'Set up payments in these currencies in the control panel of the destination.',
    ],
    [
      carriers.quoting.length > 0,
      'carriers',
      `The prices of ${counted(carriers.quoting.length, 'shipping method', 'shipping methods')} in ${carriers.looked} of ${carriers.total} shipping zones come from carriers (${[...new Set(carriers.quoting)].join(', ')}). The platform's API does not provide the carrier connections, so such methods are not copied.`,
      'Connect the carriers in the control panel of the destination and add the methods there.',
    ],
    [
      promotions.incomplete > 0,
      'promotions-left-off',
      `${promotions.incomplete} of ${promotions.looked} active promotions ${promotions.incomplete === 1 ? 'refers' : 'refer'} to items that neither this migration nor an earlier one copies (${promotions.missingNames.join(', ')}). Such promotions are copied switched off and stay off, unless the destination store has items with the same names.`,
      'Copy those items too, or correct the promotions and switch them on at the destination by hand.',
    ],
  ]
}

function reducedPictures({ pictures, sample }: PreflightFacts): Noticed[] {
  const sawAll = sample.looked >= sample.total
  if (pictures.originals || (pictures.looked === 0 && sawAll)) return []
  const why =
    pictures.looked === 0
      ? 'No picture was found to check'
      : `The originals of ${pictures.looked - pictures.served} of the ${pictures.looked} pictures checked cannot be fetched`
  const message = `${why}: product pictures are copied in the reduced size from the platform's API, at most 1280 pixels.`
  return [{ code: 'picture_reduced', about: 'originals', message }]
}

/** Also used in the middle of a run: a token's account is only known from what it created. */
export const clientChangedMessage =
  'The token of the destination store belongs to another API account than the one that made the copies. This account may not see the metafields of the other one. Copied metafields count as copied and are not looked up at the destination.'

function otherClient({ clientChanged }: PreflightFacts): Noticed[] {
  if (!clientChanged) return []
  const message = clientChangedMessage
  return [{ code: 'client_changed', about: 'destination', message }]
}
