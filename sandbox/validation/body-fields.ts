/**
 * The fields that the body of each version 2 write may have, according to the published specifications. A test compares
 * them with the published files.
 */
export const PUBLISHED_FIELDS: Readonly<Record<string, string>> = {
  'POST /v2/banners': 'content date_from date_to date_type item_id location name page visible',
  'POST /v2/blog/posts':
    'author body is_published meta_description meta_keywords published_date tags thumbnail_path title url',
  'POST /v2/coupons':
    'amount applies_to code enabled expires max_uses max_uses_per_customer min_purchase name restricted_to shipping_methods type',
  'POST /v2/currencies':
    'auto_update country_iso2 currency_code currency_exchange_rate decimal_places decimal_token enabled is_default is_transactional name thousands_token token token_location',
  'POST /v2/customer_groups': 'category_access discount_rules is_default is_group_for_guests name',
  'POST /v2/gift_certificates':
    'amount balance code currency_code customer_id expiry_date from_email from_name message purchase_date status template to_email to_name',
  'POST /v2/orders':
    'base_handling_cost base_shipping_cost base_wrapping_cost billing_address channel_id consignments customer_id customer_locale customer_message date_created default_currency_code discount_amount ebay_order_id external_merchant_id external_order_id external_source fees geoip_country geoip_country_iso2 handling_cost_ex_tax handling_cost_inc_tax ip_address ip_address_v6 items_shipped items_total order_is_digital order_source payment_method payment_provider_id products refunded_amount shipping_addresses shipping_cost_ex_tax shipping_cost_inc_tax staff_notes status_id subtotal_ex_tax subtotal_inc_tax tax_provider_id total_ex_tax total_inc_tax wrapping_cost_ex_tax wrapping_cost_inc_tax',
  'POST /v2/orders/:orderId/shipments':
    'comments items merchant_shipping_cost order_address_id shipping_method shipping_provider tracking_carrier tracking_link tracking_number',
  'POST /v2/shipping/carrier/connection': 'carrier_id connection',
  'POST /v2/shipping/zones': 'enabled free_shipping handling_fees locations name type',
  'POST /v2/shipping/zones/:zoneId/methods': 'channel_ids enabled handling_fees is_fallback name settings type',
  'PUT /v2/banners/:bannerId': 'content date_from date_to date_type item_id location name page visible',
  'PUT /v2/blog/posts/:postId':
    'author body is_published meta_description meta_keywords published_date tags thumbnail_path title url',
  'PUT /v2/coupons/:couponId':
    'amount applies_to code enabled expires max_uses max_uses_per_customer min_purchase name restricted_to shipping_methods type',
  'PUT /v2/currencies/:currencyId':
    'auto_update country_iso2 currency_exchange_rate decimal_places decimal_token enabled is_default is_transactional name thousands_token token token_location',
  'PUT /v2/customer_groups/:customerGroupId': 'category_access discount_rules is_default is_group_for_guests name',
  'PUT /v2/gift_certificates/:certificateId':
    'amount balance code currency_code customer_id expiry_date from_email from_name message purchase_date status template to_email to_name',
  'PUT /v2/orders/:orderId':
    'base_handling_cost base_shipping_cost base_wrapping_cost billing_address channel_id consignments customer_id customer_locale customer_message date_created discount_amount ebay_order_id external_merchant_id external_order_id external_source fees geoip_country geoip_country_iso2 handling_cost_ex_tax handling_cost_inc_tax ip_address ip_address_v6 items_shipped items_total order_is_digital order_source payment_method payment_provider_id products refunded_amount shipping_addresses shipping_cost_ex_tax shipping_cost_inc_tax staff_notes status_id subtotal_ex_tax subtotal_inc_tax tax_provider_id total_ex_tax total_inc_tax wrapping_cost_ex_tax wrapping_cost_inc_tax',
  'PUT /v2/orders/:orderId/shipments/:shipmentId':
    'comments merchant_shipping_cost order_address_id shipping_method shipping_provider tracking_carrier tracking_link tracking_number',
  'PUT /v2/shipping/carrier/connection': 'carrier_id connection',
  'PUT /v2/shipping/zones/:zoneId': 'enabled free_shipping handling_fees locations name type',
  'PUT /v2/shipping/zones/:zoneId/methods/:methodId':
    'channel_ids enabled handling_fees is_fallback name settings type',
}
