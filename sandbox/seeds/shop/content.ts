import { brandsTable } from '../../resources/catalog/brands.ts'
import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { insertAssociation } from '../../resources/content/custom-template-associations.ts'
import { pageTable } from '../../resources/content/page-rows.ts'
import {
  insertTemplate,
  MOMENT,
  PLANTED,
  type PlacedLayout,
  type PlacedRegion,
  type PlacedWidget,
  saveContext,
  type WidgetTarget,
  widgetTemplateTable,
} from '../../resources/content/widget-tables.ts'
import type { Row, SandboxStore, Table } from '../../store/store.ts'
import { stableUuid } from '../../store/store-identity.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productTable } from '../../tables/product-tables.ts'

/** How many items of each kind have a page of their own. */
export interface ContentPlan {
  pages: number
}

/** No page uses the last one. */
const CUSTOM_TEMPLATES = ['Countdown', 'Size guide', 'Store finder'] as const

/**
 * Adds pages as merchants build them: a home page of several regions with layouts, content on every page of one kind,
 * pages of single items, and content on all pages of the channel. Settings of the widgets refer to products,
 * categories, brands and pages.
 */
export function seedContent(store: SandboxStore, { pages }: ContentPlan): void {
  const channel_id = DEFAULT_CHANNEL_ID
  const [countdown = '', guide = ''] = plantCustomTemplates(store, channel_id)
  const [products, categories, brands] = [productTable, categoriesTable, brandsTable].map((table) =>
    someOf(table(store), pages + 2),
  ) as [Row[], Row[], Row[]]
  const plain = pageTable(store)
    .find({ channel_id, type: 'page' })
    .slice(0, pages + 1)
  const planter = new PagePlanter(store, channel_id)
  planter.plant('pages/home', '', [
    region('home_below_menu', [
      planter.widget('hero-banner', 'Hero Banner', { title: 'Spring is here', link: '/sale/', imageUrl: picture() }),
      layout([
        [planter.ofProduct(products[0]), planter.widget('text', 'Text', { text: 'Picked for you' })],
        [planter.ofCategory(categories[0])],
        [],
      ]),
    ]),
    region('home_below_carousel', [planter.set(products.slice(0, 3)), planter.custom(countdown, 'Countdown')]),
  ])
  planter.plant('', '', [
    region('header_bottom--global', [planter.widget('text', 'Text', { text: 'Free delivery from 50' })]),
    region('footer_below--global', [layout([[planter.ofBrand(brands[0])]])]),
  ])
  planter.plant('pages/category', '', [
    region('category_below_header', [planter.widget('button', 'Button', { text: 'See all', link: '/' })]),
  ])
  planter.plant('pages/page', '', [region('page_builder_content', [planter.custom(guide, 'Size guide')])])
  for (let n = 0; n < pages; n++) plantPagesOf(planter, n, { products, categories, brands, plain })
  const associated: readonly [string, Row | undefined, string][] = [
    ['product', products[0], 'custom-product-1.html'],
    ['category', categories[0], 'landing.html'],
    ['brand', brands[0], 'custom-brand-1.html'],
    ['page', plain[0], 'custom-page-1.html'],
  ]
  for (const [entity_type, entity, file_name] of associated)
    if (entity) insertAssociation(store, { channel_id, entity_type, entity_id: entity.id, file_name }, MOMENT)
}

function plantPagesOf(
  planter: PagePlanter,
  n: number,
  { products, categories, brands, plain }: Record<'products' | 'categories' | 'brands' | 'plain', Row[]>,
): void {
  const [product, category, brand, page] = [products[n], categories[n], brands[n], plain[n]]
  if (product)
    planter.plant('pages/product', String(product.id), [
      region('product_below_content', [
        planter.ofProduct(products[n + 1]),
        planter.widget('text', 'Text', { text: n }),
      ]),
    ])
  if (category)
    planter.plant(n === 0 ? 'pages/custom/category/landing' : 'pages/category', String(category.id), [
      region('category_below_header', [planter.ofCategory(categories[n + 1])]),
    ])
  if (brand) planter.plant('pages/brand', String(brand.id), [region('brand_below_header', [planter.ofBrand(brand)])])
  if (page)
    planter.plant('pages/page', String(page.id), [region('page_builder_content', [planter.ofPage(plain[n + 1])])])
}

function plantCustomTemplates(store: SandboxStore, channel_id: number): string[] {
  return CUSTOM_TEMPLATES.map((name) => {
    const schema = [{ type: 'tab', label: 'Content', sections: [{ label: name, settings: [] }] }]
    const template = `<div class="widget">{{title}}</div><!-- ${name} -->`
    return String(insertTemplate(store, { name, template, schema, channel_id, ...PLANTED }).uuid)
  })
}

function someOf(table: Table, limit: number): Row[] {
  return table.page({ offset: 0, limit }).rows
}

function picture() {
  return { src: 'https://cdn.example.com/banners/spring.jpg', type: 'IMAGE_MANAGER' }
}

export function region(name: string, children: (PlacedWidget | PlacedLayout)[]): PlacedRegion {
  return { name, children }
}

export function layout(columns: PlacedWidget[][]): PlacedLayout {
  const configuration = { numberOfDropzones: columns.length, layoutHeight: '', name: 'Layout' }
  const dropzones = columns.map((widgets, at) => ({ configuration: { dropzoneJustifyContent: 'center', at }, widgets }))
  return { type: 'layout', configuration, name: 'Layout', dropzones }
}

/** Creates widgets and puts them on pages. The built-in templates have different UUIDs in each store. */
export class PagePlanter {
  private readonly store: SandboxStore
  private readonly channelId: number
  private made = 0

  constructor(store: SandboxStore, channelId: number) {
    this.store = store
    this.channelId = channelId
  }

  plant(template_file: string, entity_id: string, regions: PlacedRegion[]): void {
    const target: WidgetTarget = { channel_id: this.channelId, template_file, entity_id }
    saveContext(this.store, target, regions, MOMENT)
  }

  widget(kind: string, name: string, configuration: object, query: object = {}): PlacedWidget {
    return this.of(String(widgetTemplateTable(this.store).find({ kind })[0]?.uuid), name, configuration, query)
  }

  custom(uuid: string, name: string): PlacedWidget {
    return this.of(uuid, name, { title: `${name} of the week`, rounded: true }, {})
  }

  /** The id occurs twice, as a string and as a number. */
  ofProduct(product: Row | undefined): PlacedWidget {
    const productId = product?.id ?? 0
    return this.widget('product', 'Product', { productId: String(productId), price: 'show' }, { productId })
  }

  set(products: Row[]): PlacedWidget {
    const ids = products.map(({ id }) => id)
    const chosen = ids.map((id) => ({ productId: String(id) }))
    return this.widget('product-set', 'Product Set', { products: chosen, columns: 3 }, { productIds: ids })
  }

  ofCategory(category: Row | undefined): PlacedWidget {
    const categoryId = category?.id ?? 0
    return this.widget('category', 'Category', { categoryId: String(categoryId) }, { categoryId })
  }

  ofBrand(brand: Row | undefined): PlacedWidget {
    const brandId = brand?.id ?? 0
    return this.widget('brand', 'Brand', { brandId: String(brandId) }, { brandId })
  }

  ofPage(page: Row | undefined): PlacedWidget {
    const pageId = page?.id ?? 0
    return this.widget('button', 'Button', { text: 'Read on', pageId: String(pageId) }, { pageId })
  }

  private of(widget_template_uuid: string, name: string, configuration: object, query: object): PlacedWidget {
    const uuid = stableUuid(`${this.store.hash}/planted/${this.channelId}/${this.made++}`)
    return {
      type: 'widget',
      uuid,
      placement_uuid: stableUuid(`placement of ${uuid}`),
      status: 'active',
      widget_template_uuid,
      configuration: { ...configuration },
      storefront_api_query_params: { ...query },
      name,
      description: '',
    }
  }
}
