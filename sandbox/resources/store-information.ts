import type { SandboxResource } from '../resource.ts'
import { settingPicture } from '../settings/stored-settings.ts'
import type { SandboxStore } from '../store.ts'
import { stableUuid, storeNumber } from '../store-identity.ts'

/** Shape after the published store information specification; what a sandbox has no use for is left plausible. */
function information(store: SandboxStore) {
  const logo = settingPicture(store, 'logo_image_url')
  return {
    id: store.hash,
    account_uuid: stableUuid(store.hash),
    domain: `${store.hash}.example`,
    secure_url: `https://${store.hash}.example`,
    control_panel_base_url: `https://store-${store.hash}.example`,
    status: 'live',
    name: store.name,
    first_name: 'Sandy',
    last_name: 'Box',
    address: '1 Sample Street',
    country: 'United States',
    country_code: 'US',
    phone: '555-0100',
    admin_email: `admin@${store.hash}.example`,
    order_email: `orders@${store.hash}.example`,
    favicon_url: settingPicture(store, 'favicon_url') ?? '',
    timezone: {
      name: 'America/Chicago',
      raw_offset: -21_600,
      dst_offset: -18_000,
      dst_correction: true,
      date_format: { display: 'M jS Y', export: 'M jS Y', extended_display: 'M jS Y @ g:i A' },
    },
    language: 'en',
    currency: 'USD',
    currency_symbol: '$',
    decimal_separator: '.',
    thousands_separator: ',',
    decimal_places: 2,
    currency_symbol_location: 'left',
    weight_units: store.switches.weight_units ?? 'Ounces',
    dimension_units: store.switches.dimension_units ?? 'Inches',
    dimension_decimal_places: 2,
    dimension_decimal_token: '.',
    dimension_thousands_token: ',',
    plan_name: 'Sandbox',
    plan_level: 'Sandbox',
    plan_is_trial: false,
    industry: 'Retail',
    logo: logo === undefined ? [] : { url: logo },
    is_price_entered_with_tax: false,
    store_id: storeNumber(store),
    default_channel_id: 1,
    default_site_id: 1000,
    active_comparison_modules: [],
    features: {
      stencil_enabled: true,
      sitewidehttps_enabled: true,
      facebook_catalog_id: '',
      checkout_type: 'optimized',
      wishlists_enabled: true,
      graphql_storefront_api_enabled: false,
      shopper_consent_tracking_enabled: false,
      multi_storefront_enabled: true,
      storefront_limits: { active: 3, total_including_inactive: 4 },
    },
  }
}

export const storeInformation: SandboxResource = {
  key: 'store-information',
  routes: [
    {
      method: 'GET',
      path: '/v2/store',
      scope: 'store_v2_information',
      latency: 'read',
      handle: ({ store }) => ({ status: 200, body: information(store) }),
    },
    {
      method: 'GET',
      path: '/v2/time',
      scope: 'store_v2_information',
      latency: 'read',
      handle: () => ({ status: 200, body: { time: Math.floor(Date.now() / 1000) } }),
    },
  ],
}
