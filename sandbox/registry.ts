import type { SandboxResource } from './resource.ts'
import { brands } from './resources/brands.ts'
import { categories } from './resources/categories.ts'
import { categoryTrees } from './resources/category-trees.ts'
import { channels } from './resources/channels.ts'
import { storeInformation } from './resources/store-information.ts'
import { products } from './resources/products.ts'
import { modifiers } from './resources/modifiers.ts'
import { variants } from './resources/variants.ts'
import { options } from './resources/options.ts'

/** What this BigCommerce has. One line per resource. */
export const resources: SandboxResource[] = [
  storeInformation,
  channels,
  categoryTrees,
  categories,
  brands,
  products,
  modifiers,
  variants,
  options,
]
