/**
 * Named sets of switches. `documented` answers as the published files and pages say; `as-seen` answers as real stores
 * were seen to, where that differs. Each of the others is one answer for which there is evidence.
 * docs/sandbox-differences.md has the sources of each switch.
 */
export const PROFILES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  documented: {
    order_stock: 'cut',
    order_addresses: 'accept',
    category_deletion: 'accepted',
    wishlists_counted: true,
    unknown_parameters: 'ignore',
    unknown_fields: 'ignore',
  },
  'as-seen': {
    order_stock: 'refuse',
    refused_orders_take_stock: true,
    picture_refusal: 'title',
    category_errors: 'flat',
    metafield_batch_max: 10,
    batch_refusal: 422,
    enterprise: false,
  },
  'picture-without-position': { picture_refusal: 'field' },
  'picture-too-large': { picture_refusal: 'oversize' },
  'picture-left-out': { image_failure: 'partial' },
  'short-batches': { category_batch_max: 2, metafield_batch_max: 2, assignment_batch_max: 2 },
  'late-stock': { inventory_lag_ms: 500 },
  'other-plan': { segments: false, theme_downloads: false, enterprise: false },
  'sliding-quota': { quota_window: 'sliding' },
  'slow-lists': { slow_lists_ms: 150 },
  'normalised-answers': { normalised_answers: true },
  'known-states': { address_states: 'known' },
}

/** @throws if there is no such profile */
export function switchesOf(profile: string | undefined): Readonly<Record<string, unknown>> {
  if (profile === undefined) return {}
  const switches = Object.hasOwn(PROFILES, profile) ? PROFILES[profile] : undefined
  if (!switches) throw new Error(`Unknown profile ${profile}; there are ${Object.keys(PROFILES).join(', ')}`)
  return switches
}
