import { bulkPricingRuleAnswer, saveBulkPricingRule } from '../products/bulk-pricing-rows.ts'
import { productChildRoutes } from '../products/product-child.ts'
import { bulkPricingRuleTable } from '../products/tables.ts'
import type { SandboxResource } from '../resource.ts'

export const bulkPricingRules: SandboxResource = {
  key: 'bulk-pricing-rules',
  routes: productChildRoutes({
    path: 'bulk-pricing-rules',
    table: bulkPricingRuleTable,
    shown: bulkPricingRuleAnswer,
    save: saveBulkPricingRule,
  }),
}
