import type { SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { stableUuid, storeNumber } from '../../store/store-identity.ts'
import { limitOf } from '../../validation/platform-limits.ts'
import { defaultCurrency } from '../channels/currencies.ts'
import { globalSettings } from './settings.ts'
import { settingPicture } from './stored-settings.ts'

const TIMEZONE = {
  name: 'America/Chicago',
  raw_offset: -21_600,
  dst_offset: -18_000,
  dst_correction: true,
  date_format: { display: 'M jS Y', export: 'M jS Y', extended_display: 'M jS Y @ g:i A' },
}

/**
 * Follows the published store information specification. Fields that the sandbox does not use have plausible values.
 */
function information(store: SandboxStore) {
  const profile = globalSettings(store, 'store/profile')
  const units = globalSettings(store, 'store/units-of-measurement')
  const currency = defaultCurrency(store)
  const logo = settingPicture(store, 'logo_image_url')
  return {
    id: store.hash,
    account_uuid: stableUuid(store.hash),
    domain: `${store.hash}.example`,
    // The storefront's address, where the sandbox serves pictures and simple pages.
    secure_url: store.imageBase.replace(/\/images$/, ''),
    control_panel_base_url: `https://store-${store.hash}.example`,
    status: 'live',
    name: profile.store_name,
    first_name: 'Sandy',
    last_name: 'Box',
    address: profile.store_address,
    country: 'United States',
    country_code: 'US',
    infrastructure_region: 'us-central1',
    phone: profile.store_phone,
    admin_email: `admin@${store.hash}.example`,
    order_email: `orders@${store.hash}.example`,
    favicon_url: settingPicture(store, 'favicon_url') ?? '',
    timezone: TIMEZONE,
    language: globalSettings(store, 'store/locale').default_shopper_language,
    currency: currency?.currency_code,
    currency_symbol: currency?.token,
    decimal_separator: currency?.decimal_token,
    thousands_separator: currency?.thousands_token,
    decimal_places: currency?.decimal_places,
    currency_symbol_location: currency?.token_location,
    weight_units: units.weight_measurement,
    dimension_units: units.length_measurement,
    dimension_decimal_places: units.decimal_places,
    dimension_decimal_token: units.decimal_token,
    dimension_thousands_token: units.thousands_token,
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
    features: features(store),
  }
}

function features(store: SandboxStore) {
  const seats = limitOf(store, 'storefront_limit')
  return {
    stencil_enabled: true,
    sitewidehttps_enabled: true,
    facebook_catalog_id: '',
    checkout_type: 'optimized',
    wishlists_enabled: true,
    graphql_storefront_api_enabled: false,
    shopper_consent_tracking_enabled: false,
    multi_storefront_enabled: seats > 1,
    storefront_limits: {
      active: limitOf(store, 'active_storefront_limit'),
      total_including_inactive: seats,
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
