import type { SandboxResource } from '../../http/resource.ts'
import { uploadedImageRoutes } from '../../images/uploaded-image-routes.ts'
import { categoriesTable } from '../../tables/category-tables.ts'

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
