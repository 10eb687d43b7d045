import { z } from 'zod'
import { entityGroups } from '../../entities/core/entity.ts'
import { entities, pickablePasses } from '../../entities/registry.ts'
import { panelScopes } from '../../entities/token-scopes.ts'
import { browsableEntities, isOpen } from '../shared/catalog-item.ts'
import { defineOperation } from '../shared/operation.ts'

const component = z.strictObject({
  key: z.string(),
  label: z.string(),
  data: z.enum(['catalogue', 'personal', 'secret']).describe('Of the last two, only ids leave the service.'),
  destinationOwned: z
    .array(z.string())
    .describe('Values that the destination’s shop changes itself; see `overwriteLiving`.'),
  madeByShoppers: z.boolean().describe('`replace` deletes it only if `pruneLive` names it.'),
})

const entity = z.strictObject({
  key: z.string(),
  label: z.string(),
  group: z.enum(entityGroups).describe('Where the control panel keeps it.'),
  scope: z.enum(['store', 'storefront']),
  after: z.array(z.string()).describe('Entities it refers to, copied before it.'),
  optional: z.boolean().describe('Copied only on request (`themes`).'),
  pickable: z.boolean().describe('`selection` may name its items.'),
  browsable: z.boolean().describe('Its items can be listed, read live.'),
  personal: z.boolean().describe('Its items are shown by id only.'),
  deletable: z.boolean().describe('`replace` deletes what only the destination has.'),
  components: z.array(component),
  notMoved: z.array(z.strictObject({ what: z.string(), why: z.string() })),
})

const scope = z.strictObject({
  name: z.string().describe('As the control panel names it.'),
  read: z.string(),
  write: z.string(),
  for: z.array(z.string()).describe('Labels of the entities that need it; empty: every copy needs it.'),
})

export const listEntities = defineOperation({
  name: 'list-entities',
  summary: 'What can be copied, in the order it is copied, what of it is not, and the scopes that API accounts need.',
  input: z.strictObject({}),
  output: z.strictObject({ items: z.array(entity), scopes: z.array(scope) }),
  async run() {
    return { items: described, scopes: panelScopes.map((one) => ({ ...one })) }
  },
})

const pickable = pickablePasses()

const described: z.infer<typeof entity>[] = entities.map((one) => ({
  key: one.key,
  label: one.label,
  group: one.group,
  scope: one.scope,
  after: [...one.after],
  optional: one.optIn !== undefined,
  pickable: pickable.has(one.key),
  browsable: browsableEntities.includes(one.key),
  personal: browsableEntities.includes(one.key) && !isOpen(one.key),
  deletable: one.prune === 'allowed',
  components: one.components.map(({ key, label, data, destinationOwned, madeByShoppers }) => ({
    key,
    label,
    data,
    destinationOwned: [...destinationOwned],
    madeByShoppers: madeByShoppers !== undefined,
  })),
  notMoved: one.notMoved.map(({ what, why }) => ({ what, why })),
}))
