import { entities } from '../../src/entities/registry.ts'

/** Every component of shoppers' data that `replace` deletes if the request names it. */
export const shoppersData = entities
  .filter(({ prune }) => prune === 'allowed')
  .flatMap(({ components }) => components)
  .filter(({ madeByShoppers, remove }) => madeByShoppers !== undefined && remove !== undefined)
  .map(({ key }) => key)
