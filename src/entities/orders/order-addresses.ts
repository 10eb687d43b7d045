import type { PlatformItem } from '../core/draft.ts'

const fields = [
  ...['first_name', 'last_name', 'company', 'street_1', 'street_2', 'city', 'state', 'zip', 'country'],
  ...['country_iso2', 'phone', 'email'],
]

export interface Addresses {
  billing_address: PlatformItem
  shipping_addresses: PlatformItem[]
}

/** An address with all its fields. */
export function addressOf(address: PlatformItem): PlatformItem {
  return Object.fromEntries(fields.map((field) => [field, String(address[field] ?? '')]))
}

const isEmail = (text: unknown) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(String(text))
const hasCountry = ({ country, country_iso2 }: PlatformItem) => country !== '' || country_iso2 !== ''

/** Without what the platform refuses: empty fields, and an invalid email address. */
function withoutUnusable(address: PlatformItem): PlatformItem {
  const usable = ([field, value]: [string, unknown]) => value !== '' && (field !== 'email' || isEmail(value))
  return Object.fromEntries(Object.entries(address).filter(usable))
}

/**
 * Addresses as the platform accepts them. A billing address must have a country: without one it gets that of a shipping
 * address or that of the shopper's IP address. If those are missing, too, it still needs one.
 */
export function acceptedAddresses(order: PlatformItem, { billing_address, shipping_addresses }: Addresses): Addresses {
  const billing = withoutUnusable(billing_address)
  const other = [...shipping_addresses, { country: order.geoip_country, country_iso2: order.geoip_country_iso2 }]
    .map(addressOf)
    .find(hasCountry)
  const { country, country_iso2 } = withoutUnusable(other ?? {})
  return {
    billing_address: hasCountry(billing_address)
      ? billing
      : { ...billing, ...(country ? { country } : {}), ...(country_iso2 ? { country_iso2 } : {}) },
    shipping_addresses: shipping_addresses.map(withoutUnusable),
  }
}

/** What the platform does not accept in the addresses, in words; empty if nothing. */
export function unusableIn({ billing_address, shipping_addresses }: Addresses): string[] {
  const emails = [billing_address, ...shipping_addresses].map(({ email }) => email)
  return [
    ...(hasCountry(billing_address) ? [] : ['its billing address has no country and was copied with another one']),
    ...(emails.every((email) => email === '' || isEmail(email)) ? [] : ['an invalid email address was left out']),
  ]
}

/**
 * The parts that the platform does not accept, as the source has them: the notes of a copy keep them. Undefined if
 * there are none.
 */
export function unusableParts({ billing_address, shipping_addresses }: Addresses): Addresses | undefined {
  const partsOf = (address: PlatformItem) =>
    address.email === '' || isEmail(address.email) ? {} : { email: address.email }
  const billing = {
    ...partsOf(billing_address),
    ...(hasCountry(billing_address) ? {} : { country: '', country_iso2: '' }),
  }
  const shipping = shipping_addresses.map(partsOf)
  const none = [billing, ...shipping].every((parts) => Object.keys(parts).length === 0)
  return none ? undefined : { billing_address: billing, shipping_addresses: shipping }
}

/** The addresses of a copy as the source has them. @param parts from the notes */
export function withUnusableParts(addresses: Addresses, parts: Partial<Addresses>): Addresses {
  return {
    billing_address: { ...addresses.billing_address, ...parts.billing_address },
    shipping_addresses: addresses.shipping_addresses.map((address, at) => ({
      ...address,
      ...parts.shipping_addresses?.[at],
    })),
  }
}
