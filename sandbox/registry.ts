import type { SandboxResource } from './resource.ts'
import { brands } from './resources/brands.ts'
import { products } from './resources/products.ts'
import { modifiers } from './resources/modifiers.ts'
import { variants } from './resources/variants.ts'
import { options } from './resources/options.ts'

/** What this BigCommerce has. One line per resource. */
export const resources: SandboxResource[] = [
  brands,
  products,
  modifiers,
  variants,
  options,
]
