import type { SandboxResource } from '../../http/resource.ts'
import { uploadedImageRoutes } from '../../images/uploaded-image-routes.ts'
import { brandsTable } from './brands.ts'

export const brandImages: SandboxResource = {
  key: 'brand-images',
  routes: uploadedImageRoutes({
    path: '/v3/catalog/brands/:brandId/image',
    parameter: 'brandId',
    table: brandsTable,
    name: 'brand',
  }),
}
