import type { SandboxResource } from '../../http/resource.ts'
import { uploadedImageRoutes } from '../../images/uploaded-image-routes.ts'
import { categoriesTable } from '../../tables/category-tables.ts'

/** The picture of a category in any tree. The category tree calls have none of their own. */
export const categoryImages: SandboxResource = {
  key: 'category-images',
  routes: uploadedImageRoutes({
    path: '/v3/catalog/categories/:categoryId/image',
    parameter: 'categoryId',
    table: categoriesTable,
    name: 'category',
  }),
}
