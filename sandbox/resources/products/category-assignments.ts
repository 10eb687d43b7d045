import type { SandboxResource } from '../../http/resource.ts'
import { productCategoryTable } from '../../tables/product-tables.ts'
import { CATEGORIES_PER_PRODUCT } from '../../validation/product-fields.ts'
import { assignmentRoutes } from './assignments.ts'

export const categoryAssignments: SandboxResource = {
  key: 'category-assignments',
  routes: assignmentRoutes({
    path: '/v3/catalog/products/category-assignments',
    table: productCategoryTable,
    field: 'category_id',
    exists: (store, id) => store.table('categories').get(id) !== undefined,
    most: CATEGORIES_PER_PRODUCT,
  }),
}
