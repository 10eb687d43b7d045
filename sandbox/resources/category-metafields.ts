import { categoriesTable } from '../categories/category-tables.ts'
import { numberParam, rowOr404 } from '../products/body-checks.ts'
import { metafieldRoutes } from '../products/metafield-routes.ts'
import { categoryMetafieldTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'

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
