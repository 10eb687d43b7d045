/**
 * Behaviours that the published sources leave open. docs/sandbox-differences.md has the default of each, the
 * alternatives, and the reason why it is open.
 */
export const SWITCHES: readonly string[] = [
  'active_storefront_limit',
  'assignment_batch_max',
  'auto_assign_channel',
  'batch_refusal',
  'brand_limit',
  'case_sensitive_names',
  'categories_in',
  'categories_required',
  'category_batch_max',
  'category_deletion',
  'category_errors',
  'category_limit',
  'child_edit_bumps_date',
  'customer_batch',
  'derived_option_type',
  'dimension_units',
  'duplicate_code',
  'duplicate_group_names',
  'enterprise',
  'form_fields',
  'id_in_max',
  'image_failure',
  'image_order',
  'included_variants_max',
  'inventory_lag_ms',
  'maintenance',
  'metafield_batch_max',
  'normalised_answers',
  'order_addresses',
  'order_settings_in_data',
  'order_stock',
  'orders_move_stock',
  'over_limit',
  'page_limit',
  'picture_refusal',
  'product_url',
  'quota_window',
  'refused_orders_take_stock',
  'segments',
  'serve_originals',
  'slow_lists_ms',
  'storefront_limit',
  'theme_downloads',
  'theme_job_ms',
  'unknown_fields',
  'unknown_parameters',
  'unknown_widget_template',
  'variant_batch',
  'webhook_client_secret',
  'webhook_delay_ms',
  'webhook_duplicates',
  'webhook_option_events',
  'webhook_retry_scale',
  'webhook_timeout_ms',
  'weight_units',
  'wishlists_counted',
]

/** An error message for unknown switches, or undefined. A misspelt one would otherwise be ignored. */
export function complaintAboutSwitches(switches: Record<string, unknown>): string | undefined {
  const unknown = Object.keys(switches).filter((name) => !SWITCHES.includes(name))
  if (unknown.length === 0) return undefined
  return `Unknown switch ${unknown.join(', ')}; there are ${SWITCHES.join(', ')}`
}
