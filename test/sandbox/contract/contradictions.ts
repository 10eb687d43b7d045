import { catalogContradictions } from './catalog-contradictions.ts'
import { contentContradictions, unrefusedBlog, unrefusedRedirects } from './content-contradictions.ts'
import type { Contradiction } from './contradiction.ts'
import { customerContradictions } from './customer-contradictions.ts'
import { orderContradictions, unrefusedOrders } from './order-contradictions.ts'
import type { Complaint, Schema } from './schema-check.ts'

export const contradictions: Contradiction[] = [
  {
    reason: 'The file tells the body of its refusals (`default`) and none of their statuses.',
    places: [
      'GET /v3/themes 401 (status)',
      'POST /v3/themes 422 (status)',
      'GET /v3/themes/:uuid 404 (status)',
      'DELETE /v3/themes/:uuid 404 (status)',
      'DELETE /v3/themes/:uuid 422 (status)',
      'POST /v3/themes/:uuid/actions/download 404 (status)',
      'POST /v3/themes/actions/activate 404 (status)',
      'POST /v3/themes/actions/activate 422 (status)',
      'GET /v3/themes/jobs/:jobId 404 (status)',
      'GET /v3/themes/:uuid/configurations 404 (status)',
      'GET /v3/themes/:uuid/configurations 422 (status)',
    ],
  },
  {
    reason: 'The file gives its 204 a body, which HTTP does not.',
    places: ['POST /v3/themes/actions/activate 204 (body)'],
  },
  ...catalogContradictions,
  ...customerContradictions,
  ...contentContradictions,
  ...orderContradictions,
  {
    reason:
      'The file gives the answer of this PUT no content; the other PUTs of the file answer with the settings that were written.',
    places: [
      'PUT /v3/settings/inventory/notifications 200 (body)',
      'PUT /v3/settings/inventory/notifications 200 data',
    ],
  },
  {
    reason:
      'The answer of the file has discount rules of one kind only, and its request mixes rules on categories, on products and on everything.',
    places: [
      'GET /v2/customer_groups 200 [].discount_rules[].product_id',
      'POST /v2/customer_groups 200 discount_rules[].product_id',
      'PUT /v2/customer_groups/:customerGroupId 200 discount_rules[].product_id',
    ],
  },
  {
    reason:
      'The file requires a field price_list that it does not describe; what it describes, and answers with, is price_list_id.',
    places: ['POST /v2/customer_groups request discount_rules[].price_list'],
  },
  {
    reason:
      'The operation can be refused for what its address or its body names, and the file documents no refusal; it is answered as the neighbours in the file are.',
    places: [
      'DELETE /v3/promotions/:promotionId 422 (status)',
      'GET /v3/promotions/:promotionId/codes 404 (status)',
      'POST /v3/promotions/:promotionId/codes 422 (status)',
      'GET /v3/promotions/codes 422 (status)',
      'DELETE /v3/promotions/codes 422 (status)',
    ],
  },
  {
    reason: 'The description says that a promotion which never expires has null here; the schema has a text.',
    places: ['GET /v3/promotions 200 data[].end_date'],
  },
  {
    reason: 'The schema of a widget template has neither; every example of the file shows both.',
    places: [
      ['widget-templates', 'data'],
      ['widgets', 'data.widget_template'],
      ['placements', 'data.widget.widget_template'],
    ].flatMap(([path, at = '']) =>
      ['client_rerender', 'template_engine'].flatMap((field) => [
        `GET /v3/content/${path} 200 ${at.replace('data', 'data[]')}.${field}`,
        `POST /v3/content/${path} 200 ${at}.${field}`,
        `GET /v3/content/${path}/:uuid 200 ${at}.${field}`,
        `PUT /v3/content/${path}/:uuid 200 ${at}.${field}`,
      ]),
    ),
  },
  {
    reason: 'The schema of a widget has no query parameters; every example of the file shows them.',
    places: [
      'GET /v3/content/widgets 200 data[].storefront_api_query_params',
      'POST /v3/content/widgets 200 data.storefront_api_query_params',
      'GET /v3/content/widgets/:uuid 200 data.storefront_api_query_params',
      'PUT /v3/content/widgets/:uuid 200 data.storefront_api_query_params',
      'GET /v3/content/placements 200 data[].widget.storefront_api_query_params',
      'POST /v3/content/placements 200 data.widget.storefront_api_query_params',
      'GET /v3/content/placements/:uuid 200 data.widget.storefront_api_query_params',
      'PUT /v3/content/placements/:uuid 200 data.widget.storefront_api_query_params',
    ],
  },
  {
    reason: 'A method that a path does not have is answered alike everywhere, with a detail.',
    places: ['POST /v3/promotions/:promotionId/codegen 405 detail'],
  },
  {
    reason: 'Every other list that goes by cursors names its present page among the links, too.',
    places: [
      'GET /v3/promotions/:promotionId/codes 200 meta.cursor_pagination.links.current',
      'GET /v3/promotions/codes 200 meta.cursor_pagination.links.current',
    ],
  },
  {
    reason:
      'The schema names the settings of flat rates only; the description of the same operation has those of the other types.',
    places: [
      'GET /v2/shipping/zones/:zoneId/methods 200 [].settings.default_cost',
      'GET /v2/shipping/zones/:zoneId/methods 200 [].settings.default_cost_type',
      'GET /v2/shipping/zones/:zoneId/methods 200 [].settings.range',
      'POST /v2/shipping/zones/:zoneId/methods 200 settings.default_cost',
      'POST /v2/shipping/zones/:zoneId/methods 200 settings.default_cost_type',
      'POST /v2/shipping/zones/:zoneId/methods 200 settings.range',
      'POST /v2/shipping/zones/:zoneId/methods request settings.default_cost',
      'POST /v2/shipping/zones/:zoneId/methods request settings.default_cost_type',
      'POST /v2/shipping/zones/:zoneId/methods request settings.range',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId 200 settings.default_cost',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId 200 settings.default_cost_type',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId 200 settings.range',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId request settings.default_cost',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId request settings.default_cost_type',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId request settings.range',
      'POST /v2/shipping/zones/:zoneId/methods 200 settings.carrier_options',
      'POST /v2/shipping/zones/:zoneId/methods request settings.carrier_options',
    ],
  },
  {
    reason: 'The file gives a 204 a JSON body, which HTTP does not allow.',
    places: [
      'DELETE /v2/currencies 204 (body)',
      'DELETE /v2/currencies/:currencyId 204 (body)',
      'DELETE /v2/gift_certificates 204 (body)',
    ],
  },
  {
    reason:
      'The file shows this refusal as `plain/text`, which is no media type; the 403 beside it is the JSON envelope, and so is every 401 that has a schema.',
    places: [
      'GET /v3/catalog/trees 401 (status)',
      'PUT /v3/catalog/trees 401 (status)',
      'DELETE /v3/catalog/trees 401 (status)',
      'GET /v3/catalog/trees/:treeId/categories 401 (status)',
      'GET /v3/catalog/trees/categories 401 (status)',
      'POST /v3/catalog/trees/categories 401 (status)',
      'PUT /v3/catalog/trees/categories 401 (status)',
      'DELETE /v3/catalog/trees/categories 401 (status)',
      'GET /v3/catalog/categories/:categoryId/products/sort-order 401 (status)',
      'PUT /v3/catalog/categories/:categoryId/products/sort-order 401 (status)',
      'GET /v3/catalog/brands 401 (status)',
      'POST /v3/catalog/brands 401 (status)',
      'DELETE /v3/catalog/brands 401 (status)',
      'GET /v3/catalog/brands/:brandId 401 (status)',
      'PUT /v3/catalog/brands/:brandId 401 (status)',
      'DELETE /v3/catalog/brands/:brandId 401 (status)',
      'GET /v3/catalog/products/:productId/custom-fields 401 (status)',
      'POST /v3/catalog/products/:productId/custom-fields 401 (status)',
      'GET /v3/catalog/products/:productId/custom-fields/:customFieldId 401 (status)',
      'PUT /v3/catalog/products/:productId/custom-fields/:customFieldId 401 (status)',
      'DELETE /v3/catalog/products/:productId/custom-fields/:customFieldId 401 (status)',
    ],
  },
  {
    reason:
      'The file shows a page of text or HTML for a wrong content type, beside JSON for every other refusal of the operation; the sandbox keeps to the envelope.',
    places: [
      'PUT /v3/catalog/categories/:categoryId/products/sort-order 415 (status)',
      'POST /v3/catalog/products/:productId/custom-fields 415 (status)',
      'PUT /v3/catalog/products/:productId/custom-fields/:customFieldId 415 (status)',
    ],
  },
  {
    reason: 'The file has an example of this answer but no schema; the example is the envelope.',
    places: ['PUT /v3/catalog/trees 413 (status)', 'PUT /v3/catalog/variants 413 (status)'],
  },
  {
    reason:
      'The operation takes the id of something that may not be there and documents no 404; the platform documentation has 404 for it, and neighbours in the same file do too where they have errors at all.',
    places: [
      'GET /v3/sites/:siteId 404 (status)',
      'PUT /v3/sites/:siteId 404 (status)',
      'DELETE /v3/sites/:siteId 404 (status)',
      'GET /v3/channels/:channelId/site 404 (status)',
      'POST /v3/channels/:channelId/site 404 (status)',
      'PUT /v3/channels/:channelId/site 404 (status)',
      'DELETE /v3/channels/:channelId/site 404 (status)',
      'GET /v3/channels/:channelId/channel-menus 404 (status)',
      'DELETE /v3/channels/:channelId/channel-menus 404 (status)',
      'GET /v3/sites/:siteId/routes 404 (status)',
      'POST /v3/sites/:siteId/routes 404 (status)',
      'GET /v3/sites/:siteId/routes/:routeId 404 (status)',
      'PUT /v3/sites/:siteId/routes/:routeId 404 (status)',
      'DELETE /v3/sites/:siteId/routes/:routeId 404 (status)',
      'DELETE /v3/catalog/products/:productId 404 (status)',
      'DELETE /v3/catalog/products/:productId/images/:imageId 404 (status)',
      'GET /v3/catalog/products/:productId/videos 404 (status)',
      'DELETE /v3/catalog/products/:productId/videos/:childId 404 (status)',
      'GET /v3/catalog/products/:productId/bulk-pricing-rules 404 (status)',
      'POST /v3/catalog/products/:productId/bulk-pricing-rules 404 (status)',
      'DELETE /v3/catalog/products/:productId/reviews/:childId 404 (status)',
      'GET /v3/catalog/products/:productId/complex-rules 404 (status)',
      'POST /v3/catalog/products/:productId/complex-rules 404 (status)',
      'PUT /v3/catalog/products/:productId/complex-rules/:childId 404 (status)',
      'DELETE /v3/catalog/products/:productId/complex-rules/:childId 404 (status)',
      'DELETE /v3/catalog/products/:productId/options/:optionId 404 (status)',
      'GET /v3/catalog/products/:productId/options/:optionId/values 404 (status)',
      'DELETE /v3/catalog/products/:productId/options/:optionId/values/:valueId 404 (status)',
      'GET /v3/catalog/products/:productId/modifiers 404 (status)',
      'DELETE /v3/catalog/products/:productId/modifiers/:modifierId 404 (status)',
      'GET /v3/catalog/products/:productId/modifiers/:modifierId/values 404 (status)',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId 404 (status)',
      'DELETE /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId 404 (status)',
      'DELETE /v3/catalog/products/:productId/variants/:variantId 404 (status)',
      'GET /v3/catalog/products/:productId/metafields 404 (status)',
      'POST /v3/catalog/products/:productId/metafields 404 (status)',
      'GET /v3/catalog/products/:productId/variants/:variantId/metafields 404 (status)',
      'POST /v3/catalog/products/:productId/variants/:variantId/metafields 404 (status)',
      'GET /v3/catalog/categories/:categoryId/metafields 404 (status)',
      'POST /v3/catalog/categories/:categoryId/metafields 404 (status)',
      'GET /v3/catalog/brands/:brandId/metafields 404 (status)',
      'POST /v3/catalog/brands/:brandId/metafields 404 (status)',
      'GET /v3/segments/:segmentId/shopper-profiles 404 (status)',
      'GET /v3/shopper-profiles/:shopperProfileId/segments 404 (status)',
      'PUT /v3/wishlists/:wishlistId 404 (status)',
      'GET /v3/pricelists/:priceListId 404 (status)',
      'GET /v3/pricelists/:priceListId/records 404 (status)',
      'DELETE /v3/pricelists/:priceListId/records 404 (status)',
      'GET /v3/pricelists/:priceListId/records/:variantId 404 (status)',
      'GET /v3/pricelists/:priceListId/records/:variantId/:currency 404 (status)',
      'DELETE /v3/pricelists/:priceListId/records/:variantId/:currency 404 (status)',
      'PUT /v3/hooks/:hookId 404 (status)',
      'DELETE /v3/hooks/:hookId 404 (status)',
      'GET /v3/channels/:channelId/metafields 404 (status)',
      'POST /v3/channels/:channelId/metafields 404 (status)',
      'GET /v3/inventory/locations/:locationId/metafields 404 (status)',
      'POST /v3/inventory/locations/:locationId/metafields 404 (status)',
      'DELETE /v3/channels/:channelId/site/checkout-url 404 (status)',
      'GET /v3/sites/:siteId/certificate 404 (status)',
      'PUT /v3/sites/:siteId/certificate 404 (status)',
    ],
  },
  {
    reason:
      'The file documents no refusal of what the caller sends here, although the operation has parameters or a body with limits; the platform documentation has 422 for invalid input.',
    places: [
      'GET /v3/sites 422 (status)',
      'POST /v3/sites 422 (status)',
      'PUT /v3/sites/:siteId/routes/:routeId 422 (status)',
      'GET /v3/catalog/brands 422 (status)',
      'GET /v3/catalog/products 422 (status)',
      'DELETE /v3/catalog/products 422 (status)',
      'GET /v3/catalog/products/channel-assignments 422 (status)',
      'GET /v3/catalog/products/category-assignments 422 (status)',
      'POST /v3/catalog/products/:productId/videos 422 (status)',
      'POST /v3/catalog/products/:productId/bulk-pricing-rules 422 (status)',
      'POST /v3/catalog/products/:productId/reviews 422 (status)',
      'PUT /v3/catalog/products/:productId/reviews/:childId 422 (status)',
      'GET /v3/catalog/variants 422 (status)',
      'POST /v3/catalog/products/:productId/variants 422 (status)',
      'PUT /v3/catalog/products/:productId/metafields/:metafieldId 422 (status)',
      'GET /v3/catalog/products/metafields 422 (status)',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId 422 (status)',
      'GET /v3/catalog/variants/metafields 422 (status)',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId 422 (status)',
      'GET /v3/catalog/categories/metafields 422 (status)',
      'PUT /v3/catalog/brands/:brandId/metafields/:metafieldId 422 (status)',
      'GET /v3/catalog/brands/metafields 422 (status)',
      'GET /v3/inventory/locations 422 (status)',
      'GET /v3/inventory/items 422 (status)',
      'DELETE /v3/segments 400 (status)',
      'DELETE /v3/segments/:segmentId/shopper-profiles 400 (status)',
      'DELETE /v3/shopper-profiles 400 (status)',
      'GET /v3/segments 422 (status)',
      'GET /v3/shopper-profiles 422 (status)',
      'GET /v3/wishlists 422 (status)',
      'POST /v3/wishlists 422 (status)',
      'GET /v3/pricelists 422 (status)',
      'DELETE /v3/pricelists 422 (status)',
      'GET /v3/pricelists/assignments 422 (status)',
      'DELETE /v3/pricelists/assignments 422 (status)',
      'PUT /v3/hooks/:hookId 422 (status)',
      'PUT /v3/channels/:channelId/metafields/:metafieldId 422 (status)',
      'GET /v3/channels/metafields 422 (status)',
      'PUT /v3/inventory/locations/:locationId/metafields/:metafieldId 422 (status)',
      'GET /v3/inventory/locations/metafields 422 (status)',
      'GET /v3/store/metafields 422 (status)',
      'DELETE /v3/store/metafields 422 (status)',
      'PUT /v3/sites/:siteId/certificate 422 (status)',
      'GET /v3/shipping/products/customs-information 422 (status)',
      'PUT /v3/shipping/products/customs-information 422 (status)',
      'DELETE /v3/shipping/products/customs-information 422 (status)',
      'GET /v3/pickup/methods 422 (status)',
      'POST /v3/pickup/methods 422 (status)',
      'PUT /v3/pickup/methods 422 (status)',
      'DELETE /v3/pickup/methods 422 (status)',
    ],
  },
  {
    reason: 'The file documents no refusal at all; a request without a token is refused everywhere.',
    places: [
      'GET /v3/catalog/summary 401 (status)',
      'GET /v3/channels/currency-assignments 401 (status)',
      'DELETE /v3/pricelists/:priceListId 401 (status)',
      'GET /v3/sites/certificates 401 (status)',
      'GET /v3/themes/custom-templates/:versionUuid 401 (status)',
      'GET /v3/storefront/custom-template-associations 401 (status)',
      'DELETE /v3/storefront/custom-template-associations 401 (status)',
    ],
  },
  {
    reason:
      'The schema of the channels in a list leaves the currencies out; the `include` parameter of the same list names them.',
    places: ['GET /v3/channels 200 data[].currencies'],
  },
  {
    reason:
      'The file has the status as a string in ErrorResponse; its other error component and its example have the number.',
    places: [
      'GET /v3/sites 422 status',
      'POST /v3/sites 422 status',
      'POST /v3/sites/:siteId/routes 422 status',
      'PUT /v3/sites/:siteId/routes/:routeId 422 status',
      'PUT /v3/sites/:siteId/certificate 422 status',
    ],
  },
  {
    reason:
      'The file gives this 404 no body; the other refusals of the same path, or of the paths beside it, have the envelope.',
    places: [
      'PUT /v3/catalog/products/:productId/options/:optionId/values/:valueId 404 (body)',
      'PUT /v3/pricelists/:priceListId/assignments 404 (body)',
      'POST /v3/wishlists/:wishlistId/items 404 (body)',
    ],
  },
  {
    reason: 'The file gives a 204 a JSON body, which HTTP does not allow.',
    places: [
      'DELETE /v3/sites/:siteId 204 (body)',
      'DELETE /v3/content/scripts/:uuid 204 (body)',
      'DELETE /v3/pricelists 204 (body)',
      'DELETE /v3/pricelists/:priceListId/records 204 (body)',
    ],
  },
  {
    reason:
      'The schema has offset, limit and total_items, which no other v3 list has; the other list of the file (routes) has the pagination of the platform documentation.',
    places: [
      'GET /v3/sites 200 meta.pagination.total',
      'GET /v3/sites 200 meta.pagination.count',
      'GET /v3/sites 200 meta.pagination.per_page',
      'GET /v3/sites 200 meta.pagination.current_page',
      'GET /v3/sites 200 meta.pagination.total_pages',
      'GET /v3/sites 200 meta.pagination.links',
    ],
  },
  {
    reason: 'The schema calls it total_page; the example of the same answer calls it total_pages.',
    places: ['GET /v3/sites/:siteId/routes 200 meta.pagination.total_pages'],
  },
  {
    reason: 'The schema asks for tree_id and parent_id together; the text of the operation asks for one of them.',
    places: ['POST /v3/catalog/trees/categories request [].parent_id'],
  },
  {
    reason:
      'The schema has a number of 0 or more and no word for a product that nobody has put in order; an assignment has no order until a PUT gives it one.',
    places: ['GET /v3/catalog/categories/:categoryId/products/sort-order 200 data[].sort_order'],
  },
  {
    reason: 'The file shows a list of brands; one brand was sent and the 200 of the same operation shows one.',
    places: ['POST /v3/catalog/brands 207 data', 'PUT /v3/catalog/brands/:brandId 207 data'],
  },
  {
    reason: 'The schema has an integer; its description says null for products with options.',
    places: [
      'GET /v3/catalog/products 200 data[].base_variant_id',
      'POST /v3/catalog/products 200 data.base_variant_id',
      'PUT /v3/catalog/products 200 data[].base_variant_id',
      'GET /v3/catalog/products/:productId 200 data.base_variant_id',
      'PUT /v3/catalog/products/:productId 200 data.base_variant_id',
    ],
  },
  {
    reason:
      'The schema has an integer; the field is of the legacy option sets, and a product without one (all here) has none to name.',
    places: [
      'GET /v3/catalog/products 200 data[].option_set_id',
      'POST /v3/catalog/products 200 data.option_set_id',
      'PUT /v3/catalog/products 200 data[].option_set_id',
      'GET /v3/catalog/products/:productId 200 data.option_set_id',
      'PUT /v3/catalog/products/:productId 200 data.option_set_id',
    ],
  },
  {
    reason:
      'The schema has a string; a product that was never imported has no such date, and the file does not say what stands instead.',
    places: [
      'GET /v3/catalog/products 200 data[].date_last_imported',
      'POST /v3/catalog/products 200 data.date_last_imported',
      'PUT /v3/catalog/products 200 data[].date_last_imported',
      'GET /v3/catalog/products/:productId 200 data.date_last_imported',
    ],
  },
  {
    reason:
      'The schema has an image; a product without pictures has none, and the file does not say what stands instead.',
    places: ['GET /v3/catalog/products 200 data[].primary_image', 'POST /v3/catalog/products 200 data.primary_image'],
  },
  {
    reason: 'The schema of an image that is shown leaves it out; the examples of the image answers have it.',
    places: [
      'GET /v3/catalog/products 200 data[].images[].image_file',
      'POST /v3/catalog/products 200 data.images[].image_file',
      'GET /v3/catalog/products/:productId 200 data.images[].image_file',
      'GET /v3/catalog/products/:productId/images 200 data[].image_file',
      'GET /v3/catalog/products/:productId/images/:imageId 200 data.image_file',
    ],
  },
  {
    reason:
      'The schema of a product leaves its variants out; the `include` parameter names them and the platform documentation shows them.',
    places: [
      'GET /v3/catalog/products 200 data[].variants',
      'POST /v3/catalog/products 200 data.variants',
      'GET /v3/catalog/products/:productId 200 data.variants',
    ],
  },
  {
    reason: 'The schema of a product leaves its reviews out; the `include` parameter names them.',
    places: ['POST /v3/catalog/products 200 data.reviews'],
  },
  {
    reason:
      'The schema requires an id (or product id) that only the answer can give; it is marked read-only or the examples of the request leave it out.',
    places: [
      'POST /v3/catalog/products request bulk_pricing_rules[].id',
      'POST /v3/catalog/products request variants[].id',
      'POST /v3/catalog/products request variants[].product_id',
      'PUT /v3/catalog/products/:productId request bulk_pricing_rules[].id',
      'PUT /v3/catalog/products/:productId/bulk-pricing-rules/:childId request id',
    ],
  },
  {
    reason: 'The file of products shows options without the internal name; the file of options has it in every answer.',
    places: [
      'GET /v3/catalog/products 200 data[].options[].name',
      'GET /v3/catalog/products/:productId 200 data.options[].name',
    ],
  },
  {
    reason:
      'The schema has an object; the examples of the modifier answers have an empty list where nothing is configured.',
    places: [
      'GET /v3/catalog/products 200 data[].options[].config',
      'GET /v3/catalog/products/:productId 200 data.options[].config',
      'GET /v3/catalog/products/:productId/options 200 data[].config',
      'POST /v3/catalog/products/:productId/options 200 data.config',
      'GET /v3/catalog/products/:productId/options/:optionId 200 data.config',
      'PUT /v3/catalog/products/:productId/options/:optionId 200 data.config',
      'GET /v3/catalog/products/:productId/modifiers 200 data[].config',
      'POST /v3/catalog/products/:productId/modifiers 200 data.config',
      'GET /v3/catalog/products/:productId/modifiers/:modifierId 200 data.config',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId 200 data.config',
    ],
  },
  {
    reason: 'The schema has an object; the examples of the modifier answers have null.',
    places: [
      'POST /v3/catalog/products/:productId/options 200 data.option_values[].value_data',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId 200 data.option_values[].value_data',
      'POST /v3/catalog/products/:productId/modifiers/:modifierId/values 200 data.value_data',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId 200 data.value_data',
    ],
  },
  {
    reason: 'The schema leaves it out; the example of the same answer, or of the POST beside it, has it.',
    places: [
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId 200 data.option_values[].option_id',
      'POST /v3/catalog/products/:productId/modifiers/:modifierId/values 200 data.option_id',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId 200 data.option_id',
    ],
  },
  {
    reason:
      'The schema of the request knows only part of a value and of its adjusters; the example of the same request has all of them.',
    places: [
      'POST /v3/catalog/products/:productId/modifiers request option_values[].adjusters.weight',
      'POST /v3/catalog/products/:productId/modifiers request option_values[].adjusters.image_url',
      'POST /v3/catalog/products/:productId/modifiers request option_values[].adjusters.purchasing_disabled',
      'POST /v3/catalog/products/:productId/modifiers request option_values[].label',
      'POST /v3/catalog/products/:productId/modifiers request option_values[].sort_order',
    ],
  },
  {
    reason: 'The schema leaves it out; the examples of the variant answers have it.',
    places: [
      'GET /v3/catalog/variants 200 data[].map_price',
      'PUT /v3/catalog/variants 200 data[].map_price',
      'GET /v3/catalog/products/:productId/variants 200 data[].map_price',
      'POST /v3/catalog/products/:productId/variants 200 data.map_price',
      'GET /v3/catalog/products/:productId/variants/:variantId 200 data.map_price',
      'PUT /v3/catalog/products/:productId/variants/:variantId 200 data.map_price',
    ],
  },
  {
    reason:
      'The schema knows fewer fields than the PUT of one variant in the same file; a variant that is made in a batch needs its sku.',
    places: [
      'PUT /v3/catalog/variants request [].sku',
      'PUT /v3/catalog/variants request [].mpn',
      'PUT /v3/catalog/variants request [].gtin',
    ],
  },
  {
    reason:
      'The schema knows fewer fields than the GET of one variant in the same file; the list shows the same variants.',
    places: [
      'GET /v3/catalog/variants 200 data[].image_url',
      'GET /v3/catalog/variants 200 data[].mpn',
      'GET /v3/catalog/variants 200 data[].gtin',
      'GET /v3/catalog/variants 200 data[].calculated_weight',
      'PUT /v3/catalog/variants 200 data[].image_url',
      'PUT /v3/catalog/variants 200 data[].mpn',
      'PUT /v3/catalog/variants 200 data[].gtin',
      'PUT /v3/catalog/variants 200 data[].calculated_weight',
    ],
  },
  {
    reason: 'The schema has one rule; its `meta` in the same answer counts several and the operation is a list.',
    places: ['GET /v3/catalog/products/:productId/bulk-pricing-rules 200 data'],
  },
  {
    reason: 'The schema of a review that is shown leaves it out; the example of the POST answer has it.',
    places: [
      'GET /v3/catalog/products/:productId/reviews 200 data[].product_id',
      'POST /v3/catalog/products/:productId/reviews 200 data.product_id',
      'GET /v3/catalog/products/:productId/reviews/:childId 200 data.product_id',
      'PUT /v3/catalog/products/:productId/reviews/:childId 200 data.product_id',
    ],
  },
  {
    reason:
      'The schema has an integer here; the conditions of the list and of the request may be null in the same file.',
    places: [
      'GET /v3/catalog/products/:productId/complex-rules/:childId 200 data.conditions[].variant_id',
      'PUT /v3/catalog/products/:productId/complex-rules/:childId 200 data.conditions[].variant_id',
    ],
  },
  {
    reason: 'The schema refers to the category tree with its empty `meta`; the operation is a list with pages.',
    places: ['GET /v3/catalog/products/:productId/variants/:variantId/metafields 200 meta.pagination'],
  },
  {
    reason:
      'The schema of the metafields of one owner leaves it out; the list of all metafields in the same file has it, and the platform documentation has cursors for all kinds of metafields.',
    places: [
      'GET /v3/catalog/products/:productId/metafields 200 meta.cursor_pagination',
      'GET /v3/catalog/products/:productId/variants/:variantId/metafields 200 meta.cursor_pagination',
      'GET /v3/catalog/categories/:categoryId/metafields 200 meta.cursor_pagination',
      'GET /v3/catalog/brands/:brandId/metafields 200 meta.cursor_pagination',
      'GET /v3/inventory/locations/:locationId/metafields 200 meta.cursor_pagination',
    ],
  },
  {
    reason: 'The schema leaves it out here; the list of all metafields in the same file has it.',
    places: [
      'GET /v3/catalog/products/:productId/variants/:variantId/metafields 200 data[].owner_client_id',
      'POST /v3/catalog/products/:productId/variants/:variantId/metafields 200 data.owner_client_id',
      'GET /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId 200 data.owner_client_id',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId 200 data.owner_client_id',
      'GET /v3/catalog/categories/:categoryId/metafields 200 data[].owner_client_id',
      'POST /v3/catalog/categories/:categoryId/metafields 200 data.owner_client_id',
      'GET /v3/catalog/categories/:categoryId/metafields/:metafieldId 200 data.owner_client_id',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId 200 data.owner_client_id',
    ],
  },
  {
    reason:
      'The file has the plain envelope; POST and DELETE on the same path, and PUT on the other three kinds, have the partial success of a batch.',
    places: [
      'PUT /v3/catalog/brands/metafields 422 errors',
      'PUT /v3/catalog/brands/metafields 422 data',
      'PUT /v3/catalog/brands/metafields 422 meta',
    ],
  },
  {
    reason:
      'The file gives this refusal `application/problem+json`; its body is the common envelope, and every other file and the platform documentation have JSON for it.',
    places: [
      'POST /v3/inventory/locations 422 (media type)',
      'PUT /v3/inventory/locations 422 (media type)',
      'DELETE /v3/inventory/locations 422 (media type)',
      'GET /v3/inventory/locations/:locationId/items 404 (media type)',
      'PUT /v3/inventory/locations/:locationId/items 422 (media type)',
      'PUT /v3/inventory/adjustments/absolute 422 (media type)',
      'POST /v3/inventory/adjustments/relative 422 (media type)',
    ],
  },
  {
    reason:
      'The schema has an integer; a product that is counted as a whole has no SKU row, and the file does not say what stands instead.',
    places: ['GET /v3/inventory/items 200 data[].identity.sku_id'],
  },
  {
    reason:
      'The schema leaves the links out of the pages and has them with the cursor only; the platform documentation has them in every `pagination`.',
    places: [
      'GET /v3/segments 200 meta.pagination.links',
      'GET /v3/segments/:segmentId/shopper-profiles 200 meta.pagination.links',
      'GET /v3/shopper-profiles 200 meta.pagination.links',
      'GET /v3/shopper-profiles/:shopperProfileId/segments 200 meta.pagination.links',
      'GET /v3/wishlists 200 meta.pagination.links',
      'GET /v3/pricelists 200 meta.pagination.links',
      'GET /v3/pricelists/:priceListId/records 200 meta.pagination.links',
      'GET /v3/pricelists/:priceListId/records/:variantId 200 meta.pagination.links',
      'GET /v3/pricelists/assignments 200 meta.pagination.links',
    ],
  },
  {
    reason:
      'The file describes this answer and gives it no content; other successes of the file are JSON objects, here an empty one.',
    places: [
      'POST /v3/pricelists/assignments 200 (body)',
      'POST /v3/pricelists/assignments 200 data',
      'DELETE /v3/marketing/email-templates/:type 200 (body)',
      'DELETE /v3/marketing/email-templates/:type 200 data',
    ],
  },
  {
    reason:
      'The description of consent categories has one for scripts that nobody assigned to any, and the list of values leaves it out.',
    places: ['GET /v3/content/scripts 200 data[].consent_category'],
  },
  {
    reason:
      'The operation can be refused for the type or the channel that its address names, and the file documents no refusal; the PUT of the file has the envelope.',
    places: [
      'GET /v3/marketing/email-templates 404 (status)',
      'GET /v3/marketing/email-templates/:type 404 (status)',
      'DELETE /v3/marketing/email-templates/:type 400 (status)',
    ],
  },
  {
    reason:
      'The schema is a metafield on its own, even of a list; every other kind of metafield, and the batch of channels in the same file, answers in an envelope.',
    places: [
      'GET /v3/channels/:channelId/metafields 200 data',
      'GET /v3/channels/:channelId/metafields 200 meta',
      'POST /v3/channels/:channelId/metafields 200 data',
      'POST /v3/channels/:channelId/metafields 200 meta',
      'GET /v3/channels/:channelId/metafields/:metafieldId 200 data',
      'GET /v3/channels/:channelId/metafields/:metafieldId 200 meta',
      'PUT /v3/channels/:channelId/metafields/:metafieldId 200 data',
      'PUT /v3/channels/:channelId/metafields/:metafieldId 200 meta',
    ],
  },
  {
    reason:
      'The file has the plain envelope here; PUT and DELETE on the same path have the partial success of a batch.',
    places: [
      'POST /v3/channels/metafields 422 errors',
      'POST /v3/channels/metafields 422 data',
      'POST /v3/channels/metafields 422 meta',
    ],
  },
  {
    reason:
      'The file wants text for the number that the answers of the same file show; the other kinds of metafields take the number.',
    places: ['PUT /v3/inventory/locations/metafields request [].id'],
  },
  {
    reason:
      'The file has one object of errors here; the same partial success is a list of errors for every other kind of metafield.',
    places: [
      'POST /v3/store/metafields 422 errors',
      'PUT /v3/store/metafields 422 errors',
      'DELETE /v3/store/metafields 422 errors',
    ],
  },
  {
    reason:
      'Only the partial success of a batch stands in the file for a refusal; a list that is asked wrongly has no partial success.',
    places: [
      'GET /v3/store/metafields 422 status',
      'GET /v3/store/metafields 422 title',
      'GET /v3/store/metafields 422 type',
    ],
  },
  {
    reason: 'The schema calls it total_page; every other v3 list, and the platform documentation, call it total_pages.',
    places: ['GET /v3/shipping/products/customs-information 200 meta.pagination.total_pages'],
  },
  {
    reason:
      'The file has no error at all, and the first other file that has a 422 shows a list of errors where the platform documentation has an object.',
    places: [
      'GET /v3/pickup/methods 422 errors',
      'POST /v3/pickup/methods 422 errors',
      'PUT /v3/pickup/methods 422 errors',
      'DELETE /v3/pickup/methods 422 errors',
    ],
  },
]

/** An answer whose schema is of no use, and the one it is held against instead. */
interface Replacement {
  reason: string
  answers: string[]
  schema: Schema
}

/** Source: the platform documentation of status codes. */
const ENVELOPE: Schema = {
  type: 'object',
  required: ['status', 'title', 'type'],
  properties: {
    status: { type: 'integer' },
    title: { type: 'string' },
    type: { type: 'string' },
    errors: { type: 'object' },
  },
}

export const replacements: Replacement[] = [
  {
    reason:
      'The settings file documents neither a refused caller nor most of what a caller can get wrong; all of it is the common error envelope of the platform documentation.',
    answers: [
      'GET /v3/settings/store/profile 401',
      'PUT /v3/settings/store/profile 400',
      'GET /v3/settings/store/locale 401',
      'PUT /v3/settings/store/locale 400',
      'GET /v3/settings/store/units-of-measurement 401',
      'PUT /v3/settings/store/units-of-measurement 400',
      'GET /v3/settings/catalog 401',
      'PUT /v3/settings/catalog 400',
      'GET /v3/settings/inventory 401',
      'PUT /v3/settings/inventory 400',
      'GET /v3/settings/inventory/notifications 401',
      'PUT /v3/settings/inventory/notifications 400',
      'GET /v3/settings/email-statuses 401',
      'PUT /v3/settings/email-statuses 400',
      'GET /v3/settings/logo 401',
      'PUT /v3/settings/logo 400',
      'GET /v3/settings/storefront/category 401',
      'PUT /v3/settings/storefront/category 400',
      'GET /v3/settings/storefront/product 401',
      'PUT /v3/settings/storefront/product 400',
      'GET /v3/settings/storefront/robotstxt 401',
      'PUT /v3/settings/storefront/robotstxt 400',
      'GET /v3/settings/storefront/search 401',
      'PUT /v3/settings/storefront/search 400',
      'GET /v3/settings/storefront/seo 401',
      'PUT /v3/settings/storefront/seo 400',
      'GET /v3/settings/storefront/status 401',
      'PUT /v3/settings/storefront/status 400',
      'GET /v3/settings/storefront/security 401',
      'PUT /v3/settings/storefront/security 400',
      'POST /v3/settings/logo/image 422',
      'POST /v3/settings/logo/image 415',
      'POST /v3/settings/favicon/image 415',
      'GET /v3/settings/analytics 404',
      'GET /v3/settings/search/filters 401',
      'PUT /v3/settings/search/filters 422',
      'GET /v3/settings/search/filters/available 422',
      'GET /v3/settings/search/filters/contexts 422',
      'PUT /v3/settings/search/filters/contexts 422',
      'POST /v3/settings/logo/image 404',
      'POST /v3/settings/favicon/image 404',
    ],
    schema: ENVELOPE,
  },
  {
    reason:
      'Who asks is checked alike for the whole API, and the file has other fields for it or none; the platform documentation has the common error envelope.',
    answers: [
      'GET /v3/promotions 401',
      'DELETE /v3/promotions/:promotionId/codes/:codeId 401',
      'GET /v3/promotions/settings 401',
      'POST /v3/promotions 403',
      'POST /v3/promotions/:promotionId/codegen 403',
      'POST /v3/promotions/:promotionId/codegen 405',
    ],
    schema: ENVELOPE,
  },
  {
    reason:
      'The files document no refused caller and no unknown channel, and of what is wrong with a request at most the status; all of it is the common error envelope of the platform documentation.',
    answers: [
      'GET /v3/tax/zones 422',
      'POST /v3/tax/zones 422',
      'PUT /v3/tax/zones 422',
      'DELETE /v3/tax/zones 400',
      'GET /v3/tax/rates 422',
      'POST /v3/tax/rates 422',
      'PUT /v3/tax/rates 422',
      'DELETE /v3/tax/rates 400',
      'GET /v3/tax/properties 422',
      'POST /v3/tax/properties 422',
      'PUT /v3/tax/properties 422',
      'DELETE /v3/tax/properties 400',
      'GET /v3/tax/settings 401',
      'PUT /v3/tax/settings 422',
      'GET /v3/shipping/settings 401',
      'GET /v3/shipping/settings/channels/:channelId 404',
      'PUT /v3/shipping/settings/channels/:channelId 404',
    ],
    schema: ENVELOPE,
  },
  {
    reason:
      'The file documents refusals of its imports and exports only, whose errors are theirs; the platform documentation has the common error envelope.',
    answers: unrefusedRedirects,
    schema: ENVELOPE,
  },
  {
    reason: 'The file hides its error objects in a property called `schema`; this is what stands in there.',
    answers: ['PUT /v3/promotions/settings 422'],
    schema: {
      type: 'object',
      required: ['status', 'title', 'errors'],
      properties: {
        status: { type: 'integer' },
        title: { type: 'string' },
        errors: {
          type: 'array',
          items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } },
        },
      },
    },
  },
  {
    reason:
      'The file hides its error objects in a property called `schema`, and the favicon has no body for its refusal; the platform documentation has the common error envelope.',
    answers: [
      'POST /v3/settings/favicon/image 422',
      'GET /v3/settings/analytics/:providerId 404',
      'PUT /v3/settings/analytics/:providerId 404',
      'PUT /v3/settings/analytics/:providerId 422',
      'PUT /v3/orders/settings 422',
      'PUT /v3/orders/settings/channels/:channelId 422',
    ],
    schema: ENVELOPE,
  },
  {
    reason:
      'The files document no refusal of these, and the ErrorResponse of one, which nothing refers to, has the shape of v3; a v2 error is an array. Source: the platform documentation of v2 errors.',
    answers: [
      'GET /v2/store 401',
      'GET /v2/time 401',
      'GET /v2/currencies 401',
      'POST /v2/currencies 400',
      'DELETE /v2/currencies 401',
      'GET /v2/currencies/:currencyId 404',
      'PUT /v2/currencies/:currencyId 404',
      'DELETE /v2/currencies/:currencyId 404',
      'GET /v2/customer_groups 400',
      'POST /v2/customer_groups 400',
      'GET /v2/customer_groups/count 400',
      'GET /v2/customer_groups/:customerGroupId 404',
      'PUT /v2/customer_groups/:customerGroupId 404',
      'DELETE /v2/customer_groups/:customerGroupId 404',
      'GET /v2/shipping/zones 401',
      'POST /v2/shipping/zones 400',
      'GET /v2/shipping/zones/:zoneId 404',
      'PUT /v2/shipping/zones/:zoneId 400',
      'PUT /v2/shipping/zones/:zoneId 404',
      'DELETE /v2/shipping/zones/:zoneId 404',
      'GET /v2/shipping/zones/:zoneId/methods 404',
      'POST /v2/shipping/zones/:zoneId/methods 400',
      'POST /v2/shipping/zones/:zoneId/methods 404',
      'GET /v2/shipping/zones/:zoneId/methods/:methodId 404',
      'PUT /v2/shipping/zones/:zoneId/methods/:methodId 404',
      'DELETE /v2/shipping/zones/:zoneId/methods/:methodId 404',
      'GET /v2/countries 401',
      'GET /v2/countries/count 401',
      'GET /v2/countries/states 401',
      'GET /v2/countries/states/count 401',
      'GET /v2/countries/:countryId 404',
      'GET /v2/countries/:countryId/states 404',
      'GET /v2/countries/:countryId/states/count 404',
      'GET /v2/countries/:countryId/states/:stateId 404',
      ...unrefusedBlog,
      ...unrefusedOrders,
      'GET /v2/coupons 400',
      'POST /v2/coupons 400',
      'POST /v2/coupons 409',
      'DELETE /v2/coupons 400',
      'GET /v2/coupons/count 401',
      'PUT /v2/coupons/:couponId 404',
      'DELETE /v2/coupons/:couponId 401',
      'GET /v2/gift_certificates 400',
      'POST /v2/gift_certificates 400',
      'POST /v2/gift_certificates 409',
      'DELETE /v2/gift_certificates 401',
      'GET /v2/gift_certificates/:certificateId 404',
      'PUT /v2/gift_certificates/:certificateId 404',
      'DELETE /v2/gift_certificates/:certificateId 401',
      'GET /v2/banners 400',
      'POST /v2/banners 400',
      'DELETE /v2/banners 401',
      'GET /v2/banners/count 401',
      'GET /v2/banners/:bannerId 404',
      'PUT /v2/banners/:bannerId 400',
      'PUT /v2/banners/:bannerId 404',
      'DELETE /v2/banners/:bannerId 401',
    ],
    schema: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['status', 'message'],
        properties: { status: { type: 'integer' }, message: { type: 'string' }, details: { type: 'object' } },
      },
    },
  },
  {
    reason:
      'The schema has the modifier in `data.items`, as a list loses its `type: array`; the example of the same answer has it in `data`.',
    answers: ['POST /v3/catalog/products/:productId/modifiers 200'],
    schema: {
      type: 'object',
      required: ['data', 'meta'],
      properties: { data: { $ref: '#/components/schemas/productModifier_Full' }, meta: { type: 'object' } },
    },
  },
]

/**
 * `errors` is part of every v3 refusal. The files name it in some answers and leave it out in others of the same status.
 * Source: the common error envelope of the platform documentation.
 */
export function isPlatformWide({ at, says }: Complaint): boolean {
  return at === 'errors' && says === 'is not in the file'
}

export function replacementFor(operation: string, status: number): Replacement | undefined {
  return replacements.find(({ answers }) => answers.includes(`${operation} ${status}`))
}
