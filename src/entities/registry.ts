import type { StoreCounts } from '../model/forecast/forecast.ts'
import type { LinkedKind } from '../model/links/link-targets.ts'
import type { FindingTopic } from '../model/preflight-findings.ts'
import type { LimitsOf } from '../model/refusal-rules.ts'
import { brands } from './catalog/brands.ts'
import { categories } from './catalog/categories.ts'
import { products } from './catalog/products.ts'
import { banners } from './content/banners.ts'
import { blogPosts } from './content/blog-posts.ts'
import { emailTemplates } from './content/email-templates.ts'
import { pageWidgets } from './content/page-widgets.ts'
import { pages } from './content/pages.ts'
import { redirects } from './content/redirects.ts'
import { scripts } from './content/scripts.ts'
import { widgetTemplates } from './content/widget-templates.ts'
import type { Component, Scope, SideEffects } from './core/component.ts'
import type { Entity, TokenScope } from './core/entity.ts'
import type { Pass } from './core/pass.ts'
import { customerAttributes } from './customers/customer-attributes.ts'
import { customerGroups } from './customers/customer-groups.ts'
import { customerSettings } from './customers/customer-settings.ts'
import { customers } from './customers/customers.ts'
import { segments } from './customers/segments.ts'
import { subscribers } from './customers/subscribers.ts'
import { wishlists } from './customers/wishlists.ts'
import { inventory } from './orders/inventory.ts'
import { orders } from './orders/orders.ts'
import { channelCurrencies } from './pricing/channel-currencies.ts'
import { coupons } from './pricing/coupons.ts'
import { currencies } from './pricing/currencies.ts'
import { giftCertificates } from './pricing/gift-certificates.ts'
import { priceLists } from './pricing/price-lists.ts'
import { promotions } from './pricing/promotions.ts'
import { tax } from './pricing/tax.ts'
import { taxClasses } from './pricing/tax-classes.ts'
import { locations } from './settings/locations.ts'
import { searchFilters } from './settings/search-filters.ts'
import { shipping } from './settings/shipping.ts'
import { storeSettings } from './settings/store-settings.ts'
import { customTemplateAssociations } from './themes/custom-template-associations.ts'
import { themeActivations } from './themes/theme-activations.ts'
import { themeTemplates } from './themes/theme-templates.ts'
import { themes } from './themes/themes.ts'

/** Everything that moves, in the order in which it moves. */
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

/** @throws when no entity has such a component: a programming error, never the caller's. */
export function componentOf(key: string): Component {
  const component = components.get(key)
  if (!component) throw new Error(`No entity has a component ${key}`)
  return component
}

/** The entity that a component belongs to; undefined for a key that no component has. */
export function entityOf(component: string): Entity | undefined {
  return entities.find(({ components }) => components.some(({ key }) => key === component))
}

/** The pass that reads a component; undefined where another component's pass does. */
export function passOf(component: string): Pass | undefined {
  return entities.flatMap(({ passes }) => passes).find(({ root }) => root === component)
}

/** Undefined for what references name but no entity copies (channels). */
export function labelOf(key: string): string | undefined {
  return components.get(key)?.label
}

export const limitsOf: LimitsOf = (key) => components.get(key)?.limits

/** The scope that a call to a path needs; undefined if no entity declares one. */
export function tokenScopeOf(path: string): TokenScope | undefined {
  const matching = entities
    .flatMap(({ scopes = [] }) => scopes)
    .flatMap((scope) => (scope.below ?? []).filter((one) => path.startsWith(one)).map((below) => ({ scope, below })))
  return matching.sort((one, other) => other.below.length - one.below.length)[0]?.scope
}

interface Owned {
  entity: Entity
  component: Component
}

function owned(is: (component: Component) => boolean, what: string): Owned {
  for (const entity of entities) {
    const component = entity.components.find(is)
    if (component) return { entity, component }
  }
  throw new Error(`No component has ${what}`)
}

/** The component under which a preflight finding is reported. */
export function reporterOf(topic: FindingTopic): Owned {
  return owned(({ findings }) => findings?.includes(topic) === true, `the finding ${topic}`)
}

/** The component of items that shop links refer to. */
export function linkedComponent(kind: LinkedKind): string {
  return owned(({ linkedAs }) => linkedAs === kind, `links to a ${kind}`).component.key
}

/** The components counted by forecast totals. */
export const forecastTotals = [...components.values()].flatMap(({ key, forecastAs }) =>
  forecastAs ? [{ component: key, total: forecastAs }] : [],
)

/** The component counted by a forecast total. */
export function forecastComponent(total: keyof StoreCounts): Component {
  return owned(({ forecastAs }) => forecastAs === total, `the total ${total}`).component
}

/** The component under which issues about a side effect are reported. */
export function sideEffectComponent(kind: keyof SideEffects): string {
  return owned(({ sideEffects }) => sideEffects?.[kind] !== undefined, `the side effect ${kind}`).component.key
}

/** Components with a limit per store, with the pass that lists them. */
export const limitedComponents = entities.flatMap(({ components, passes }) =>
  components.flatMap(({ key, limits }) => {
    const pass = passes.find(({ root }) => root === key)
    return limits?.inStore !== undefined && pass ? [{ component: key, most: limits.inStore, pass }] : []
  }),
)

/** Children that other entities refer to by id. */
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

/**
 * What references name although no entity copies it belongs to the whole store, except channels and their sites, which
 * a storefront pair may match.
 */
export function scopeOf(componentKey: string): Scope {
  return scopes.get(componentKey) ?? 'store'
}

/** Passes that read items a selection may pick, by entity key. */
export function pickablePasses(): Map<string, Pass> {
  return new Map(
    entities.flatMap((entity) =>
      entity.passes
        .filter((pass) => pass.root === entity.key && isPicked(pass))
        .map((pass) => [entity.key, pass] as const),
    ),
  )
}

/** Phases that an entity refers to: those it comes after, and those that its later passes wait for. */
export function phasesNamedBy({ after, passes }: Entity): string[] {
  return [...after, ...passes.flatMap(({ afterPhases = [] }) => afterPhases)]
}

function isPicked({ picks }: Pass): boolean {
  return picks !== undefined && !picks.otherwise
}
