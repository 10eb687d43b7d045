import { banners } from './banners.ts'
import { blogPosts } from './blog-posts.ts'
import { brands } from './brands.ts'
import { categories } from './categories.ts'
import { channelCurrencies } from './channel-currencies.ts'
import { coupons } from './coupons.ts'
import { currencies } from './currencies.ts'
import { customTemplateAssociations } from './custom-template-associations.ts'
import { customerAttributes } from './customer-attributes.ts'
import { customerGroups } from './customer-groups.ts'
import { customerSettings } from './customer-settings.ts'
import { customers } from './customers.ts'
import type { Component, Entity, Pass, Scope } from './define.ts'
import { emailTemplates } from './email-templates.ts'
import { giftCertificates } from './gift-certificates.ts'
import { inventory } from './inventory.ts'
import { locations } from './locations.ts'
import { orders } from './orders.ts'
import { pageWidgets } from './page-widgets.ts'
import { pages } from './pages.ts'
import { priceLists } from './price-lists.ts'
import { products } from './products.ts'
import { promotions } from './promotions.ts'
import { redirects } from './redirects.ts'
import { scripts } from './scripts.ts'
import { searchFilters } from './search-filters.ts'
import { segments } from './segments.ts'
import { shipping } from './shipping.ts'
import { storeSettings } from './store-settings.ts'
import { subscribers } from './subscribers.ts'
import { tax } from './tax.ts'
import { taxClasses } from './tax-classes.ts'
import { themeActivations } from './theme-activations.ts'
import { themeTemplates } from './theme-templates.ts'
import { themes } from './themes.ts'
import { widgetTemplates } from './widget-templates.ts'
import { wishlists } from './wishlists.ts'

/** Everything that moves, in the order it moves. */
export const entities: readonly Entity[] = [
  currencies,
  taxClasses,
  locations,
  storeSettings,
  channelCurrencies,
  categories,
  brands,
  products,
  priceLists,
  customerGroups,
  customerSettings,
  customerAttributes,
  customers,
  segments,
  subscribers,
  wishlists,
  giftCertificates,
  coupons,
  shipping,
  tax,
  promotions,
  pages,
  blogPosts,
  redirects,
  themes,
  themeActivations,
  themeTemplates,
  widgetTemplates,
  customTemplateAssociations,
  pageWidgets,
  searchFilters,
  scripts,
  banners,
  emailTemplates,
  orders,
  inventory,
]

const components = new Map(
  entities.flatMap((entity) => entity.components.map((component) => [component.key, component] as const)),
)

/** @throws when no entity has such a component: a programming mistake, never a caller's. */
export function componentOf(key: string): Component {
  const component = components.get(key)
  if (!component) throw new Error(`No entity has a component ${key}`)
  return component
}

/** Children that other entities name by their ids. */
export const namedByOthers = new Map(
  [...components].flatMap(([key, component]) =>
    component.namedByOthers ? [[key, component.namedByOthers] as const] : [],
  ),
)

const scopes = new Map<string, Scope>(
  entities.flatMap((entity) =>
    entity.components.map((component) => [component.key, component.scope ?? entity.scope] as const),
  ),
)
  .set('channels', 'storefront')
  .set('sites', 'storefront')

/** References without an entity of their own count as store-wide, except channels and their sites: which belong together, a pair may say. */
export function scopeOf(componentKey: string): Scope {
  return scopes.get(componentKey) ?? 'store'
}

/** Passes that read what a selection may name, by the key of their entity. */
export function pickablePasses(): Map<string, Pass> {
  return new Map(
    entities.flatMap((entity) =>
      entity.passes
        .filter((pass) => pass.root === entity.key && isPicked(pass))
        .map((pass) => [entity.key, pass] as const),
    ),
  )
}

/** Phases that an entity refers to: those it comes after, and those that its second passes wait for. */
export function phasesNamedBy({ after, passes }: Entity): string[] {
  return [...after, ...passes.flatMap(({ afterPhases = [] }) => afterPhases)]
}

function isPicked({ picks }: Pass): boolean {
  return picks !== undefined && !picks.byTemplate && !picks.onlyNeeded
}
