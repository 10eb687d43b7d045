/** What a copy of one seed cannot contain under any faults: everything else has to be there. */
export interface Truth {
  /** Open items: component, code and name, with `*` for ids. */
  failures: readonly string[]
  /** What the comparison finds despite a good copy, by `linesOfFindings`, with `*` for ids. */
  findings: readonly string[]
}

export const nothing: Truth = { failures: [], findings: [] }

/** Another app's metafield has the same key as ours: the copies belong to one app, which can have the key only once. */
const keysOfAnotherApp = ['app_only', 'read', 'read_and_sf_access', 'write', 'write_and_sf_access']

/** @param owners what has the metafields in the seed, by the kind of it: `product`, `brand` ... */
export function metafieldsOfTwoApps(owners: Record<string, string>): Truth {
  const kinds = Object.entries(owners)
  const labelOf = (kind: string) => `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)} metafield *`
  return {
    failures: kinds.flatMap(([kind]) =>
      keysOfAnotherApp.map(() => `${kind}-metafields natural_key_collision ${labelOf(kind)}`),
    ),
    findings: kinds.flatMap(([kind, owner]) =>
      keysOfAnotherApp.map((key) => `${kind}-metafields missing ${owner} > awkward.${key}`),
    ),
  }
}

/**
 * Makes a line comparable with those of a truth: ids differ between stores, and which of two codes that differ only in case comes
 * first is undefined.
 */
export const withoutIds = (line: string) =>
  line
    .replace(
      /(metafields?|categories|category|channels|pages|products|variants?|promotions|Coupon|Gift certificate|Review|Wishlist|customers|Customer|Customer address|orders different) \d+/g,
      '$1 *',
    )
    .replace(/Shopper profile [-0-9a-f]{36}/, 'Shopper profile *')
    .replace(/^(coupons|gift-certificates|promotion-codes|segments) missing .+$/, (found) => found.toLowerCase())
    .replace(/^segments natural_key_collision .+$/, (found) => found.toLowerCase())
