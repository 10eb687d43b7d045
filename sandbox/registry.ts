import type { SandboxResource } from './resource.ts'
import { brands } from './resources/brands.ts'
import { products } from './resources/products.ts'

/** What this BigCommerce has. One line per resource. */
export const resources: SandboxResource[] = [
  brands,
  products,
]
