import type { SandboxResource } from '../../http/resource.ts'
import { bulkPricingRuleTable } from '../../tables/product-tables.ts'
import { productChildRoutes } from './product-child.ts'
import { bulkPricingRuleAnswer, saveBulkPricingRule } from './rows/bulk-pricing-rows.ts'

export const bulkPricingRules: SandboxResource = {
  key: 'bulk-pricing-rules',
  routes: productChildRoutes({
    path: 'bulk-pricing-rules',
    table: bulkPricingRuleTable,
    shown: bulkPricingRuleAnswer,
    save: saveBulkPricingRule,
  }),
}
