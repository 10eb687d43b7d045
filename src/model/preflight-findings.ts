import type { IssueCode } from '../contract/issue-codes.ts'

/** What a finding is about. The component that names it says under which phase it is reported. */
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

/** Something to know before a copy begins; it becomes a warning of the run. */
export type Finding = { code: IssueCode; message: string } & (
  | { about: FindingTopic }
  /** About the number of items of a component. */
  | { component: string }
)

/** Settings by which a store reads its numbers. Source: `GET /v2/store`. */
export interface StoreSettings {
  currency?: string | undefined
  weight_units?: string | undefined
  dimension_units?: string | undefined
  is_price_entered_with_tax?: boolean | undefined
}

/** Items of a component of which a store can only have so many. */
export interface StoreTotal {
  component: string
  most: number
  /** Null when the store did not tell. */
  source: number | null
  destination: number | null
  /** Items that the destination has from this source already. */
  mapped: number
}

/** What was seen among the first products of the source. */
export interface ProductSample {
  looked: number
  /** Of the whole store. */
  total: number
  withStoreFiles: number
  withSharedOptions: number
  withGiftWraps: number
}

export interface PreflightFacts {
  settings: { source: StoreSettings; destination: StoreSettings }
  totals: readonly StoreTotal[]
  sample: ProductSample
  /** Null when the store did not tell. */
  digitalProducts: number | null
  paymentMethods: number | null
  metafields: { looked: number; clients: number; ofOthers: number } | null
  /** Whether shoppers are asked for consent to tracking; null when the store did not tell, or nobody wants to know. */
  consentEnabled: boolean | null
  /** The destination's token is of another API account than the one that made the copies. */
  clientChanged: boolean
  channels: { storefronts: number; unpaired: string[] }
  activeStorefrontLimit: number | null
  pictures: PictureFacts
  /** Codes of currencies that the source takes payments in and the destination does not. */
  currenciesPaidIn: string[]
  carriers: CarrierFacts
  promotions: PromotionFacts
}

/** What was seen of the shipping methods in the first zones of the source. */
export interface CarrierFacts {
  looked: number
  /** Zones of the whole store. */
  total: number
  /** Carriers whose prices the methods of those zones ask for, one for each method. */
  quoting: string[]
}

/** What was seen of the promotions of the source that are switched on. */
export interface PromotionFacts {
  looked: number
  /** Of these: name something that neither this run copies nor the destination has from an earlier one. */
  incomplete: number
  /** What they name, in words. */
  missingNames: string[]
}

export interface PictureFacts {
  /** Pictures that were asked for, and those of them whose original was served. */
  looked: number
  served: number
  /** Originals are copied. */
  originals: boolean
}

export function findings(facts: PreflightFacts): Finding[] {
  return [
    ...differentSettings(facts.settings),
    ...otherRates(facts.settings),
    ...beyondLimits(facts),
    ...unpairedChannels(facts),
    ...notCopied(facts),
    ...reducedPictures(facts),
    ...otherClient(facts),
  ]
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

/** What a store does not tell is not compared. */
function differentSettings({ source, destination }: PreflightFacts['settings']): Finding[] {
  return settings.flatMap(([key, name, consequence]) => {
    const [ours, theirs] = [source[key], destination[key]]
    if (ours === undefined || theirs === undefined || ours === theirs) return []
    const message = `The ${name} is ${said(ours)} in the source store and ${said(theirs)} in the destination store. ${consequence}.`
    return { code: 'different_setting', about: key, message }
  })
}

/** A rate says what one of the default currency is worth. */
function otherRates({ source, destination }: PreflightFacts['settings']): Finding[] {
  const [ours, theirs] = [source.currency, destination.currency]
  if (ours === undefined || theirs === undefined || ours === theirs) return []
  const message = `Exchange rates are copied as they are: they count from ${ours}, the default currency of the source store, and that of the destination store is ${theirs}.`
  return [{ code: 'different_setting', about: 'exchange-rates', message }]
}

function said(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? '"with tax"' : '"without tax"'
}

/** What is mapped exists already and does not count again. */
function beyondLimits({ totals }: PreflightFacts): Finding[] {
  return totals.flatMap(({ component, most, source, destination, mapped }) => {
    if (source === null || destination === null) return []
    const requested = destination + Math.max(0, source - mapped)
    if (requested <= most) return []
    const message = `The destination store can have ${most} ${component}. With those of the source store it would have up to ${requested}, and the platform refuses the rest.`
    return { code: 'platform_limit' as const, component, message }
  })
}

function unpairedChannels({ channels: { unpaired }, activeStorefrontLimit }: PreflightFacts): Finding[] {
  if (unpaired.length === 0) return []
  const limit = activeStorefrontLimit === null ? '' : ` Its plan allows ${activeStorefrontLimit} active storefronts.`
  const message = `The destination store has no channel of the same name, type and platform for ${listed(unpaired)}; channels are not created. Products are copied without their place there.${limit}`
  return [{ code: 'channel_unpaired', about: 'channels', message }]
}

/** A long list says less than its beginning. */
const mostListed = 5

function listed(names: string[]): string {
  const shown = names.slice(0, mostListed).map((name) => `"${name}"`)
  const more = names.length - shown.length
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What the platform's API does not give out, or does not take, and this store has. */
function notCopied(facts: PreflightFacts): Finding[] {
  return [...ofProducts(facts), ...aroundProducts(facts)].flatMap(([when, about, message]) =>
    when ? { code: 'not_copied' as const, about, message } : [],
  )
}

type PossibleFinding = [when: boolean, about: FindingTopic, message: string]

function ofProducts(facts: PreflightFacts): PossibleFinding[] {
  const { sample, digitalProducts, paymentMethods, metafields, channels } = facts
  const some = (count: number) => `${count} of the ${sample.looked} products looked at`
  return [
    [
      (digitalProducts ?? 0) > 0,
      'digital-files',
      `${digitalProducts} digital products are copied without their files, which the platform's API does not give out.`,
    ],
    [
      sample.withStoreFiles > 0,
      'webdav-files',
      `${some(sample.withStoreFiles)} show files of the source store in their descriptions (/content, /product_images/uploaded_images). The platform's API does not give these files out, so they are missing at the destination until they are copied by WebDAV.`,
    ],
    [
      sample.withSharedOptions > 0,
      'shared-options',
      `${some(sample.withSharedOptions)} have options of a shared option set. At the destination each product has options of its own.`,
    ],
    [
      sample.withGiftWraps > 0,
      'gift-wraps',
      `${some(sample.withGiftWraps)} offer chosen gift wraps, which the platform's API does not give out.`,
    ],
    [
      (paymentMethods ?? 0) > 0,
      'payments',
      `The source store takes payments by ${paymentMethods} methods. The platform's API cannot set up payments.`,
    ],
    [
      (metafields?.ofOthers ?? 0) > 0,
      'metafields-of-others',
      `${metafields?.ofOthers} of the ${metafields?.looked} product metafields looked at belong to further API accounts (${metafields?.clients} altogether). Their copies belong to the account of the destination's token; those that an app keeps to itself cannot be read at all.`,
    ],
    [
      channels.storefronts > 1,
      'overrides',
      `The source store has ${channels.storefronts} storefronts. What products are called or look like on a single one of them, or in a further language, the platform's REST API does not show; the general values are copied.`,
    ],
  ]
}

function aroundProducts({ consentEnabled, currenciesPaidIn, carriers, promotions }: PreflightFacts): PossibleFinding[] {
  return [
    [
      consentEnabled === true,
      'consents',
      'The source store asks shoppers for consent to tracking. What each of them answered is copied only with `customerConsent`: without it a copied customer is asked again at the destination, if that store asks.',
    ],
    [
      currenciesPaidIn.length > 0,
      'payments-in-currencies',
      `The source store takes payments in ${currenciesPaidIn.join(', ')} and the destination store does not. The platform's API makes currencies for display only; set the payments up in the control panel.`,
    ],
    [
      carriers.quoting.length > 0,
      'carriers',
      `${carriers.quoting.length} shipping methods in the ${carriers.looked} of ${carriers.total} shipping zones looked at take their prices from carriers (${[...new Set(carriers.quoting)].join(', ')}). The platform's API does not give out how a store is connected with a carrier, so these methods are not copied.`,
    ],
    [
      promotions.incomplete > 0,
      'promotions-left-off',
      `${promotions.incomplete} of the ${promotions.looked} promotions looked at that are switched on name ${promotions.missingNames.join(', ')} that this migration does not copy and no earlier one did. Unless the destination store has the same by name, they are copied switched off and stay so.`,
    ],
  ]
}

function reducedPictures({ pictures, sample }: PreflightFacts): Finding[] {
  const sawAll = sample.looked >= sample.total
  if (pictures.originals || (pictures.looked === 0 && sawAll)) return []
  const why =
    pictures.looked === 0
      ? 'No picture that could be looked at was found'
      : `The originals of ${pictures.looked - pictures.served} of the ${pictures.looked} pictures looked at cannot be fetched`
  const message = `${why}: pictures of products are copied in the reduced size that the platform's API names, at most 1280 pixels.`
  return [{ code: 'picture_reduced', about: 'originals', message }]
}

/** Said in the middle of a run, too: whose a token is, is told by what its account has made. */
export const clientChangedMessage =
  'The token of the destination store belongs to another API account than the one that made the copies there. Metafields of that account may be hidden from this one: those that were copied count as copied, and are not looked for at the destination.'

function otherClient({ clientChanged }: PreflightFacts): Finding[] {
  if (!clientChanged) return []
  const message = clientChangedMessage
  return [{ code: 'client_changed', about: 'destination', message }]
}
