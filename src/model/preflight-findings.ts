import type { IssueCode } from '../contract/issue-codes.ts'

/** Something to know before a copy begins; it becomes a warning of the run. */
export interface Finding {
  code: IssueCode
  /** The component it concerns: it is told only by runs that copy it. */
  component: string
  /** Which of the findings with this code it is. */
  about: string
  message: string
}

/** Settings by which a store reads its numbers. Source: `GET /v2/store`. */
export interface StoreSettings {
  currency?: string | undefined
  weight_units?: string | undefined
  dimension_units?: string | undefined
  is_price_entered_with_tax?: boolean | undefined
}

/** How many items of a component a store has; null when it did not tell. */
export type StoreTotals = Record<'categories' | 'brands', number | null>

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
  totals: { source: StoreTotals; destination: StoreTotals }
  /** Items that the destination has from this source already. */
  mapped: Record<keyof StoreTotals, number>
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
    return { code: 'different_setting', component: 'products', about: key, message }
  })
}

/** A rate says what one of the default currency is worth. */
function otherRates({ source, destination }: PreflightFacts['settings']): Finding[] {
  const [ours, theirs] = [source.currency, destination.currency]
  if (ours === undefined || theirs === undefined || ours === theirs) return []
  const message = `Exchange rates are copied as they are: they count from ${ours}, the default currency of the source store, and that of the destination store is ${theirs}.`
  return [{ code: 'different_setting', component: 'currencies', about: 'exchange-rates', message }]
}

function said(value: string | boolean): string {
  if (typeof value === 'string') return value
  return value ? '"with tax"' : '"without tax"'
}

/** Source: Help Center, platform limits. The platform tells none of them by API. */
const limits: Record<keyof StoreTotals, number> = { categories: 16_000, brands: 30_000 }

/** What is mapped is there already and takes no further place. */
function beyondLimits({ totals, mapped }: PreflightFacts): Finding[] {
  return (Object.keys(limits) as (keyof StoreTotals)[]).flatMap((component) => {
    const [ours, theirs] = [totals.source[component], totals.destination[component]]
    if (ours === null || theirs === null) return []
    const requested = theirs + Math.max(0, ours - mapped[component])
    if (requested <= limits[component]) return []
    const message = `The destination store can have ${limits[component]} ${component}. With those of the source store it would have up to ${requested}, and the platform refuses what is beyond.`
    return { code: 'platform_limit', component, about: component, message }
  })
}

function unpairedChannels({ channels: { unpaired }, activeStorefrontLimit }: PreflightFacts): Finding[] {
  if (unpaired.length === 0) return []
  const limit = activeStorefrontLimit === null ? '' : ` Its plan allows ${activeStorefrontLimit} active storefronts.`
  const message = `The destination store has no channel of the same name, type and platform for ${listed(unpaired)}; channels are not created. Products are copied without their place there.${limit}`
  return [{ code: 'channel_unpaired', component: 'product-channel-assignments', about: 'channels', message }]
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
  return [...ofProducts(facts), ...aroundProducts(facts)].flatMap(([when, component, about, message]) =>
    when ? { code: 'not_copied' as const, component, about, message } : [],
  )
}

type PossibleFinding = [when: boolean, component: string, about: string, message: string]

function ofProducts(facts: PreflightFacts): PossibleFinding[] {
  const { sample, digitalProducts, paymentMethods, metafields, channels } = facts
  const some = (count: number) => `${count} of the ${sample.looked} products looked at`
  return [
    [
      (digitalProducts ?? 0) > 0,
      'products',
      'digital-files',
      `${digitalProducts} digital products are copied without their files, which the platform's API does not give out.`,
    ],
    [
      sample.withStoreFiles > 0,
      'products',
      'webdav-files',
      `${some(sample.withStoreFiles)} show files of the source store in their descriptions (/content, /product_images/uploaded_images). The platform's API does not give these files out, so they are missing at the destination until they are copied by WebDAV.`,
    ],
    [
      sample.withSharedOptions > 0,
      'product-options',
      'shared-options',
      `${some(sample.withSharedOptions)} have options of a shared option set. At the destination each product has options of its own.`,
    ],
    [
      sample.withGiftWraps > 0,
      'products',
      'gift-wraps',
      `${some(sample.withGiftWraps)} offer chosen gift wraps, which the platform's API does not give out.`,
    ],
    [
      (paymentMethods ?? 0) > 0,
      'products',
      'payments',
      `The source store takes payments by ${paymentMethods} methods. The platform's API cannot set up payments.`,
    ],
    [
      (metafields?.ofOthers ?? 0) > 0,
      'product-metafields',
      'metafields-of-others',
      `${metafields?.ofOthers} of the ${metafields?.looked} product metafields looked at belong to further API accounts (${metafields?.clients} altogether). Their copies belong to the account of the destination's token; those that an app keeps to itself cannot be read at all.`,
    ],
    [
      channels.storefronts > 1,
      'products',
      'overrides',
      `The source store has ${channels.storefronts} storefronts. What products are called or look like on a single one of them, or in a further language, the platform's REST API does not show; the general values are copied.`,
    ],
  ]
}

function aroundProducts({ consentEnabled, currenciesPaidIn, carriers, promotions }: PreflightFacts): PossibleFinding[] {
  return [
    [
      consentEnabled === true,
      'customers',
      'consents',
      'The source store asks shoppers for consent to tracking. What each of them answered is copied only with `customerConsent`: without it a copied customer is asked again at the destination, if that store asks.',
    ],
    [
      currenciesPaidIn.length > 0,
      'currencies',
      'payments-in-currencies',
      `The source store takes payments in ${currenciesPaidIn.join(', ')} and the destination store does not. The platform's API makes currencies for display only; set the payments up in the control panel.`,
    ],
    [
      carriers.quoting.length > 0,
      'shipping-methods',
      'carriers',
      `${carriers.quoting.length} shipping methods in the ${carriers.looked} of ${carriers.total} shipping zones looked at take their prices from carriers (${[...new Set(carriers.quoting)].join(', ')}). The platform's API does not give out how a store is connected with a carrier, so these methods are not copied.`,
    ],
    [
      promotions.incomplete > 0,
      'promotions',
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
  return [{ code: 'picture_reduced', component: 'product-images', about: 'originals', message }]
}

/** Said in the middle of a run, too: whose a token is, is told by what its account has made. */
export const clientChangedMessage =
  'The token of the destination store belongs to another API account than the one that made the copies there. Metafields of that account may be hidden from this one: those that were copied count as copied, and are not looked for at the destination.'

function otherClient({ clientChanged }: PreflightFacts): Finding[] {
  if (!clientChanged) return []
  const message = clientChangedMessage
  return [{ code: 'client_changed', component: 'product-metafields', about: 'destination', message }]
}
