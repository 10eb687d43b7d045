import type { SandboxResource } from '../../http/resource.ts'
import { videoTable } from '../../tables/product-tables.ts'
import { productChildRoutes } from './product-child.ts'
import { saveVideo } from './rows/video-rows.ts'

export const productVideos: SandboxResource = {
  key: 'product-videos',
  routes: productChildRoutes({ path: 'videos', table: videoTable, shown: (row) => row, save: saveVideo }),
}
