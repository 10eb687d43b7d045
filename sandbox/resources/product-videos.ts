import { productChildRoutes } from '../products/product-child.ts'
import { videoTable } from '../products/tables.ts'
import { saveVideo } from '../products/video-rows.ts'
import type { SandboxResource } from '../resource.ts'

export const productVideos: SandboxResource = {
  key: 'product-videos',
  routes: productChildRoutes({ path: 'videos', table: videoTable, shown: (row) => row, save: saveVideo }),
}
