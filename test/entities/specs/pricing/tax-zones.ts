import { batches, callsOf, sum } from '../../../../bench/parts/fewest-calls.ts'
import { ownId, platformDate } from '../../../comparison/exclusion-reasons.ts'
import type { StoreSide } from '../../../comparison/store-side.ts'
import { bornWith, type Fields, isObject, plainText } from '../../../comparison/table-rule.ts'
import { reading, writing } from '../../../faults/subject.ts'
import { listSubject } from '../../../kills/subject.ts'
import type { EntitySpec } from '../spec.ts'

const taxLists = ['tax_zones', 'tax_rates', 'tax_properties']

export const taxZones: EntitySpec = {
  entity: 'tax-zones',
  components: {
    'tax-settings': {
      neverCreated: 'every store has them',
      editedElsewhere: 'as the settings: test/engine/tax.test.ts',
    },
    'tax-zones': { partlyThere: 'every store is born with one for everybody' },
  },
  kills: {
    'tax-zones': listSubject('tax-zones', '^/v3/tax/zones$'),
    'tax-rates': listSubject('tax-rates', '^/v3/tax/rates$'),
    'tax-properties': listSubject('tax-properties', '^/v3/tax/properties$'),
  },
  faults: {
    writes: [writing('tax-zones', '^/v3/tax/zones$'), writing('tax-rates', '^/v3/tax/rates$')],
    lists: [
      reading(['tax-zones'], '^/v3/tax/zones$'),
      reading(['tax-rates'], '^/v3/tax/rates$'),
      reading(['tax-properties'], '^/v3/tax/properties$'),
      reading(['tax-settings'], '^/v3/tax/settings$'),
    ],
  },
  tables: [
    {
      table: 'tax_zones',
      entity: 'tax-zones',
      references: {},
      parents: [],
      keys: (row) => [row.id === bornWith ? 'default zone' : plainText(row.name)],
      rewritten: ({ shopper_target_settings: target }, side) => ({ shopper_target_settings: targetOf(target, side) }),
    },
    {
      table: 'tax_rates',
      entity: 'tax-rates',
      references: { tax_zone_id: 'tax_zones' },
      parents: ['tax_zone_id'],
      keys: (row) => [plainText(row.name)],
      rewritten: ({ class_rates }, side) => ({ class_rates: classRatesOf(class_rates, side) }),
    },
    {
      table: 'tax_properties',
      entity: 'tax-properties',
      references: {},
      parents: [],
      keys: (row) => [`${plainText(row.code)} (${row.type})`],
    },
  ],
  excludedFields: {
    tax_zones: { id: ownId },
    tax_rates: { id: ownId },
    tax_properties: { id: ownId, created_at: platformDate, updated_at: platformDate },
  },
  notWritable: {
    tax_rates: { tax_zone_id: 'its parent' },
  },
  awkward: {
    findings: [
      // A tax zone for a missing group applies to no customer.
      'tax-zones different Only a group that is gone enabled',
      'tax-zones different Only a group that is gone shopper_target_settings',
    ],
  },
  fewest: {
    paths: /^\/v3\/tax\/(settings|zones|rates|properties)/,
    tables: ['tax_zones', 'tax_rates', 'tax_properties'],
    reads: (shops) => 1 + sum(taxLists.map((table) => shops.list(shops.count(table), 'by number'))),
    // Existing zones and rates are listed before each call (B3).
    looks: (shops) =>
      1 + taxLists.length + sum(taxLists.slice(0, 2).map((table) => callsOf(shops.fresh(table), batches.tax))),
    writes: (shops) => sum(taxLists.map((table) => callsOf(shops.fresh(table), batches.tax))),
  },
}

/** The groups that a zone applies to, by the names both stores share. */
function targetOf(target: unknown, side: StoreSide): unknown {
  if (!isObject(target) || !Array.isArray(target.customer_groups)) return target
  const groups = target.customer_groups.map((id) => plainText(side.refer('customer_groups', id))).sort()
  return { ...target, customer_groups: groups }
}

function classRatesOf(given: unknown, side: StoreSide): string[] {
  const rates: Fields[] = Array.isArray(given) ? given : []
  return rates.map(({ rate, tax_class_id }) => `${plainText(side.refer('tax_classes', tax_class_id))}: ${rate}`).sort()
}
