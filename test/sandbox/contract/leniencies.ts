/**
 * Bodies that a published file refuses and the sandbox takes, one by one: the operation, the field and how it was spoiled.
 * A caller that is right by the file never sends them.
 */
export const leniencies: { reason: string; places: string[] }[] = [
  {
    reason:
      'The file requires in the PUT of one thing what its POST requires; the sandbox keeps what an update leaves out. Our choice.',
    places: [
      'PUT /v3/sites/:siteId/routes/:routeId type missing',
      'PUT /v3/sites/:siteId/routes/:routeId matching missing',
      'PUT /v3/sites/:siteId/routes/:routeId route missing',
      'PUT /v3/catalog/brands/:brandId name missing',
      'PUT /v3/catalog/products/:productId/bulk-pricing-rules/:childId quantity_min missing',
      'PUT /v3/catalog/products/:productId/bulk-pricing-rules/:childId quantity_max missing',
      'PUT /v3/catalog/products/:productId/bulk-pricing-rules/:childId type missing',
      'PUT /v3/catalog/products/:productId/bulk-pricing-rules/:childId amount missing',
      'PUT /v3/catalog/products/:productId/reviews/:childId title missing',
      'PUT /v3/catalog/products/:productId/reviews/:childId date_reviewed missing',
      'PUT /v3/catalog/products/:productId/options/:optionId/values/:valueId label missing',
      'PUT /v3/catalog/products/:productId/options/:optionId/values/:valueId sort_order missing',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId type missing',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId required missing',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId label missing',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId sort_order missing',
      'PUT /v3/catalog/products/:productId/metafields/:metafieldId namespace missing',
      'PUT /v3/catalog/products/:productId/metafields/:metafieldId key missing',
      'PUT /v3/catalog/products/:productId/metafields/:metafieldId value missing',
      'PUT /v3/catalog/products/:productId/metafields/:metafieldId permission_set missing',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId namespace missing',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId key missing',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId value missing',
      'PUT /v3/catalog/products/:productId/variants/:variantId/metafields/:metafieldId permission_set missing',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId namespace missing',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId key missing',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId value missing',
      'PUT /v3/catalog/categories/:categoryId/metafields/:metafieldId permission_set missing',
      'PUT /v3/inventory/locations/:locationId/items settings missing',
      'PUT /v3/pricelists/:priceListId name missing',
      'PUT /v3/pricelists/:priceListId/assignments customer_group_id missing',
    ],
  },
  {
    reason: 'The sandbox puts a value that names no place behind the others. Our choice.',
    places: [
      'POST /v3/catalog/products/:productId/options/:optionId/values sort_order missing',
      'POST /v3/catalog/products/:productId/modifiers/:modifierId/values sort_order missing',
    ],
  },
  {
    reason: 'The sandbox does not look at the type of this field.',
    places: [
      'PUT /v3/catalog/products/:productId custom_url of another type',
      'POST /v3/catalog/products/:productId/options/:optionId/values value_data of another type',
      'PUT /v3/catalog/products/:productId/options/:optionId/values/:valueId value_data of another type',
      'POST /v3/catalog/products/:productId/modifiers/:modifierId/values adjusters of another type',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId adjusters of another type',
      'PUT /v3/inventory/adjustments/absolute reason of another type',
      'POST /v3/inventory/adjustments/relative reason of another type',
      'POST /v3/pricelists/assignments customer_group_id of another type',
      'PUT /v3/pricelists/:priceListId/assignments customer_group_id of another type',
    ],
  },
]
