import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { pricesAndMeasures, withFourDecimals } from '../core/four-decimals.ts'
import { imageAddress, imageFile } from '../core/image-file.ts'
import { withoutNullTexts } from '../core/null-texts.ts'
import type { References } from '../core/references.ts'

/** Options first, because variants refer to them. A list missing from a response counts as empty. */
export function productChildren(item: PlatformItem, references: References): Draft[] {
  return [
    ...optionsOf(item).map((option) => optionDraft(option, references)),
    ...list(item.variants).map(variantDraft),
    ...list(item.modifiers).map((modifier) => modifierDraft(modifier, references)),
    ...list(item.images).map((image) => imageDraft(image, references)),
    ...list(item.custom_fields).map(customFieldDraft),
    ...list(item.videos).map(videoDraft),
    ...list(item.bulk_pricing_rules).map(bulkPricingRuleDraft),
    ...list(item.reviews).map(reviewDraft),
    ...channelDrafts(item, references),
  ]
}

export function list(value: unknown): PlatformItem[] {
  return Array.isArray(value) ? value : []
}

/** A shop that has sold more than it had shows a level below 0, which the platform accepts from no one. */
export function settableLevel(level: unknown): unknown {
  return Number(level) < 0 ? 0 : level
}

/**
 * The response to creating a product contains options only inside its variants, so only their ids and labels are known.
 */
function optionsOf(product: PlatformItem): PlatformItem[] {
  if (Array.isArray(product.options) && product.options.length > 0) return product.options
  const options = new Map<unknown, PlatformItem>()
  for (const variant of list(product.variants))
    for (const value of list(variant.option_values)) {
      const option = options.get(value.option_id) ?? {
        id: value.option_id,
        display_name: value.option_display_name,
        option_values: [],
      }
      const values = option.option_values as PlatformItem[]
      if (!values.some((known) => known.id === value.id)) values.push({ id: value.id, label: value.label })
      options.set(value.option_id, option)
    }
  return [...options.values()]
}

export function optionDraft(option: PlatformItem, references: References): Draft {
  const { id, product_id: _p, name: _n, image_url: _i, option_values, display_name, ...rest } = option
  return draft(
    'product-options',
    id,
    { display_name, ...rest },
    {
      keys: [`option:${String(display_name ?? '').toLowerCase()}`],
      name: String(display_name ?? ''),
      children: list(option_values).map((value) => ({
        ...valueDraft('product-option-values', value, references),
        inline: true,
      })),
    },
  )
}

export function modifierDraft(modifier: PlatformItem, references: References): Draft {
  const { id, product_id: _p, name: _n, option_values, display_name, ...rest } = modifier
  return draft(
    'product-modifiers',
    id,
    { display_name, ...rest },
    {
      keys: [`modifier:${String(display_name ?? '').toLowerCase()}`],
      name: String(display_name ?? ''),
      children: list(option_values).flatMap((value) => {
        const child = valueDraft('product-modifier-values', value, references)
        // The platform refuses a product list with a value without its product, so it comes when that exists.
        if (value.value_data !== undefined && child.compare.value_data === undefined) return []
        return { ...child, inline: rest.type !== 'checkbox' }
      }),
    },
  )
}

export function valueDraft(component: string, value: PlatformItem, references: References): Draft {
  const { id, option_id: _o, value_data, ...rest } = value
  const pointed = value_data === undefined ? undefined : pointAtDestination(value_data, references)
  const compare: PlatformItem = { ...rest, ...(pointed === undefined ? {} : { value_data: pointed }) }
  // Null in answers, but not in requests. Source: the published options.
  return draft(component, id, pointed === null ? rest : compare, {
    compare,
    keys: [`value:${String(value.label ?? '').toLowerCase()}`],
    name: String(value.label ?? ''),
  })
}

/** Whether a child is of this kind and has this name. Names of options, values and modifiers ignore capitals. */
export function isCalled(child: Draft, component: string, name: string | null): boolean {
  return child.component === component && child.name?.toLowerCase() === name?.toLowerCase()
}

/** The value of a product list refers to a product of its own store. Undefined if the destination does not have that. */
function pointAtDestination(data: unknown, references: References): unknown {
  if (data === null || typeof data !== 'object' || !('product_id' in data)) return data
  const product_id = references.want('products', data.product_id)
  return product_id === undefined ? undefined : { ...data, product_id }
}

/** Null in answers, and accepted so by the calls of a variant, but not inside a new product. Source: the published files. */
const nullInAnswers = ['upc', 'mpn', 'gtin', 'bin_picking_number']

/** Variants are matched by their option labels, which are the same in both stores; their ids are not. */
export function variantDraft(variant: PlatformItem): Draft {
  const {
    id,
    product_id: _p,
    sku_id: _s,
    calculated_price: _cp,
    calculated_weight: _cw,
    option_values,
    image_url,
    ...rest
  } = withFourDecimals(withoutNullTexts(variant, nullInAnswers), pricesAndMeasures)
  if (rest.inventory_level !== undefined) rest.inventory_level = settableLevel(rest.inventory_level)
  const values = list(option_values).map(({ option_display_name, label }) => ({ option_display_name, label }))
  const labels = values.map((value) => `${value.option_display_name}=${value.label}`.toLowerCase()).sort()
  const image = typeof image_url === 'string' && image_url !== ''
  const body: PlatformItem = { ...rest, option_values: values, ...(image ? { image_url: imageAddress(variant) } : {}) }
  return draft('product-variants', id, body, {
    // A source variant without an image gets an empty name, so an image that only the destination has is a difference
    // too.
    compare: {
      ...rest,
      option_values: labels,
      ...(image_url === undefined ? {} : { image_file: imageFile(image_url) }),
    },
    keys: [`variant:${labels.join('|')}`],
    name: labels.join(', ') || 'base variant',
    sku: typeof variant.sku === 'string' && variant.sku !== '' ? variant.sku : null,
    inline: values.length > 0,
  })
}

/** An existing variant as it would be with these options and values. */
export function withOptionValues(variant: Draft, option_values: PlatformItem[]): Draft {
  const { compare, keys, name } = variantDraft({ ...variant.body, id: variant.id, option_values })
  return { ...variant, compare: { ...variant.compare, option_values: compare.option_values }, keys, name }
}

/** The platform enforces no key for images; they are matched by their content. */
export function imageDraft(image: PlatformItem, references: References): Draft {
  const { is_thumbnail, sort_order, description } = image
  const shared = { is_thumbnail, sort_order, description: description ?? '' }
  const [address, reduced] = [references.picture(image), imageAddress(image)]
  return draft(
    'product-images',
    image.id,
    { ...shared, image_url: address },
    {
      ...(reduced !== '' && reduced !== address && { reducedPicture: reduced }),
      compare: { ...shared, image_file: imageFile(image.image_file ?? image.image_url) },
      name: imageFile(image.image_file ?? image.image_url),
      inline: true,
    },
  )
}

export function customFieldDraft(field: PlatformItem): Draft {
  const { id, name, value } = field
  return draft(
    'product-custom-fields',
    id,
    { name, value },
    // With the second key, a changed value is reported as a change, not as one field removed and another added.
    { keys: [`field:${name}=${value}`, `name:${name}`], name: String(name ?? ''), inline: true },
  )
}

/**
 * The platform enforces no key for videos: a product may have the same one twice. It gets their length from YouTube.
 */
export function videoDraft(video: PlatformItem): Draft {
  const { id, product_id: _p, length: _l, ...body } = video
  return draft('product-videos', id, body, { name: String(video.title ?? ''), inline: true })
}

/** No two rules of a product cover the same quantity, so the smallest quantity is the key. */
export function bulkPricingRuleDraft(rule: PlatformItem): Draft {
  const { id, product_id: _p, ...body } = withFourDecimals(rule, ['amount'])
  const name = `from ${rule.quantity_min}`
  return draft('product-bulk-pricing-rules', id, body, { keys: [`rule:${name}`], name, inline: true })
}

/**
 * Reviews come with the page of products (`include=reviews`), so reading them costs no extra call. `reviews_count`
 * cannot replace them, because it counts approved reviews only. Whether the platform includes reviews of every status,
 * and how many, is not documented; the only alternative is a call for each product.
 */
export function reviewDraft(review: PlatformItem): Draft {
  const { id, product_id: _p, date_created: _dc, date_modified: _dm, ...body } = review
  return draft('product-reviews', id, body, { name: String(review.title ?? '') })
}

function channelDrafts(product: PlatformItem, references: References): Draft[] {
  if (!Array.isArray(product.channels)) return []
  return product.channels.flatMap((channel) => {
    const counterpart = references.want('channels', channel)
    if (counterpart === undefined) return []
    const body = { channel_id: counterpart }
    return draft('product-channel-assignments', `${product.id}:${channel}`, body, { keys: [`channel:${counterpart}`] })
  })
}
