import { bannerDrivers } from './banner-drivers.ts'
import { optionAndVariantDrivers } from './catalog/attribute-drivers.ts'
import { brandDrivers } from './catalog/brand-drivers.ts'
import { categoryDrivers } from './catalog/category-drivers.ts'
import { productDrivers } from './catalog/product-drivers.ts'
import { productPartDrivers } from './catalog/product-part-drivers.ts'
import { channelDrivers } from './channel-drivers.ts'
import { contentDrivers } from './content/content-drivers.ts'
import { emailTemplateDrivers } from './content/email-template-drivers.ts'
import { scriptDrivers } from './content/script-drivers.ts'
import { themeDrivers } from './content/theme-drivers.ts'
import { widgetDrivers } from './content/widget-drivers.ts'
import { countryDrivers } from './country-drivers.ts'
import { customerDrivers } from './customer-drivers.ts'
import { customerGroupDrivers } from './customer-group-drivers.ts'
import type { Driver } from './driver.ts'
import { inventoryDrivers } from './inventory-drivers.ts'
import { marketingDrivers } from './marketing-drivers.ts'
import { allMetafieldDrivers } from './metafield-drivers.ts'
import { orderDrivers } from './order-drivers.ts'
import { priceListDrivers } from './price-list-drivers.ts'
import { segmentDrivers } from './segment-drivers.ts'
import { currencyDrivers, settingsDrivers, storefrontSettingsDrivers } from './settings-drivers.ts'
import { shippingDrivers } from './shipping-drivers.ts'
import { shippingZoneDrivers } from './shipping-zone-drivers.ts'
import { siteDrivers } from './site-drivers.ts'
import { storeDrivers } from './store-drivers.ts'
import { taxClassDrivers } from './tax-class-drivers.ts'
import { taxDrivers } from './tax-drivers.ts'
import { webhookDrivers } from './webhook-drivers.ts'
import { wishlistDrivers } from './wishlist-drivers.ts'

/** One driver per operation that the sandbox serves. */
export const drivers: Driver[] = [
  ...storeDrivers,
  ...channelDrivers,
  ...siteDrivers,
  ...categoryDrivers,
  ...brandDrivers,
  ...productDrivers,
  ...productPartDrivers,
  ...optionAndVariantDrivers,
  ...allMetafieldDrivers,
  ...inventoryDrivers,
  ...priceListDrivers,
  ...customerGroupDrivers,
  ...segmentDrivers,
  ...wishlistDrivers,
  ...shippingDrivers,
  ...shippingZoneDrivers,
  ...settingsDrivers,
  ...storefrontSettingsDrivers,
  ...currencyDrivers,
  ...countryDrivers,
  ...taxClassDrivers,
  ...marketingDrivers,
  ...bannerDrivers,
  ...scriptDrivers,
  ...emailTemplateDrivers,
  ...taxDrivers,
  ...webhookDrivers,
  ...customerDrivers,
  ...contentDrivers,
  ...widgetDrivers,
  ...themeDrivers,
  ...orderDrivers,
]
