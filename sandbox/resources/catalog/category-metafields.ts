import type { SandboxResource } from '../../http/resource.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { categoryMetafieldTable } from '../../tables/product-tables.ts'
import { numberParam, rowOr404 } from '../../validation/body-checks.ts'
import { metafieldRoutes } from '../metafields/metafield-routes.ts'

export const categoryMetafields: SandboxResource = {
  key: 'category-metafields',
  routes: metafieldRoutes({
    resourceType: 'category',
    table: categoryMetafieldTable,
    owners: categoriesTable,
    ownerPath: '/v3/catalog/categories/:categoryId',
    bulkPath: '/v3/catalog/categories/metafields',
    namedOwner: (request) => rowOr404(categoriesTable(request.store), numberParam(request, 'categoryId')),
  }),
}
