import { assignmentRoutes } from '../products/assignments.ts'
import { CATEGORIES_PER_PRODUCT } from '../products/product-fields.ts'
import { productCategoryTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'

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
