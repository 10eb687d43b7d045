import { entities } from '../../src/entities/registry.ts'

/** Coupons and promotions belong to the whole store: what they name on another storefront is missing in a run over one. */
export const allButDiscounts = entities.map(({ key }) => key).filter((key) => !['coupons', 'promotions'].includes(key))
