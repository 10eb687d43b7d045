import type { PlatformItem } from '../core/draft.ts'

const fields = [
  ...['first_name', 'last_name', 'company', 'street_1', 'street_2', 'city', 'state', 'zip', 'country'],
  ...['country_iso2', 'phone', 'email'],
]

export interface Addresses {
  billing_address: PlatformItem
  shipping_addresses: PlatformItem[]
}

/** The address with all its fields, empty if missing. */
export function addressOf(address: PlatformItem): PlatformItem {
  return Object.fromEntries(fields.map((field) => [field, String(address[field] ?? '')]))
}

const isEmail = (text: unknown) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(text))
/** A billing address must have a postal code of at least two characters. Source: the published orders specification. */
const hasZip = ({ zip }: PlatformItem) => String(zip).length >= 2
/** Many countries have no postal codes. */
const noZip = 'none'
const hasCountry = ({ country, country_iso2 }: PlatformItem) => country !== '' || country_iso2 !== ''

/** Leaves out what the platform refuses: empty fields, and an invalid email address. */
function withoutUnusable(address: PlatformItem): PlatformItem {
  const usable = ([field, value]: [string, unknown]) => value !== '' && (field !== 'email' || isEmail(value))
  return Object.fromEntries(Object.entries(address).filter(usable))
}

/**
 * Addresses as the platform accepts them. A billing address must have a country: if it has none, it gets the one of a
 * shipping address, or of the shopper's IP address. The result has no country only if those have none either. It must
 * have a postal code, too.
 */
export function acceptedAddresses(order: PlatformItem, { billing_address, shipping_addresses }: Addresses): Addresses {
  const billing = withoutUnusable(billing_address)
  const other = [...shipping_addresses, { country: order.geoip_country, country_iso2: order.geoip_country_iso2 }]
    .map(addressOf)
    .find(hasCountry)
  const { country, country_iso2 } = withoutUnusable(other ?? {})
  const otherCountry = { ...(country ? { country } : {}), ...(country_iso2 ? { country_iso2 } : {}) }
  return {
    billing_address: {
      ...billing,
      ...(hasCountry(billing_address) ? {} : otherCountry),
      ...(hasZip(billing_address) ? {} : { zip: noZip }),
    },
    shipping_addresses: shipping_addresses.map(withoutUnusable),
  }
}

/** Says in words what the platform does not accept in the addresses; empty if it accepts everything. */
export function unusableIn({ billing_address, shipping_addresses }: Addresses): string[] {
  const emails = [billing_address, ...shipping_addresses].map(({ email }) => email)
  return [
    ...(hasCountry(billing_address) ? [] : ['its billing address has no country and was copied with another one']),
    ...(hasZip(billing_address) ? [] : [`its billing address has no postal code and was copied with "${noZip}"`]),
    ...(emails.every((email) => email === '' || isEmail(email)) ? [] : ['an invalid email address was left out']),
  ]
}

/**
 * The parts that the platform does not accept, as the source has them, to be kept in the notes of the copy. Undefined
 * if there are none.
 */
export function unusableParts({ billing_address, shipping_addresses }: Addresses): Addresses | undefined {
  const partsOf = (address: PlatformItem) =>
    address.email === '' || isEmail(address.email) ? {} : { email: address.email }
  const billing = {
    ...partsOf(billing_address),
    ...(hasCountry(billing_address) ? {} : { country: '', country_iso2: '' }),
    ...(hasZip(billing_address) ? {} : { zip: billing_address.zip }),
  }
  const shipping = shipping_addresses.map(partsOf)
  const none = [billing, ...shipping].every((parts) => Object.keys(parts).length === 0)
  return none ? undefined : { billing_address: billing, shipping_addresses: shipping }
}

/**
 * The addresses of a copy with the unusable parts of the source's.
 * @param parts from the notes
 */
export function withUnusableParts(addresses: Addresses, parts: Partial<Addresses>): Addresses {
  return {
    billing_address: { ...addresses.billing_address, ...parts.billing_address },
    shipping_addresses: addresses.shipping_addresses.map((address, at) => ({
      ...address,
      ...parts.shipping_addresses?.[at],
    })),
  }
}
