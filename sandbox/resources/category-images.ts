import { categoriesTable } from '../categories/category-tables.ts'
import type { SandboxResource } from '../resource.ts'
import { uploadedImageRoutes } from '../uploaded-image-routes.ts'

/** Categories of every tree take their picture here; the trees themselves have no call for it. */
export const categoryImages: SandboxResource = {
  key: 'category-images',
  routes: uploadedImageRoutes({
    path: '/v3/catalog/categories/:categoryId/image',
    parameter: 'categoryId',
    table: categoriesTable,
    name: 'category',
  }),
}
