import { z } from 'zod'
import { limits } from './limits.ts'

/** Ids of the platform, as text: whole numbers above zero. */
export const platformId = z.string().regex(/^[1-9]\d{0,14}$/, 'Give an id as the platform gives it, digits only.')

/** Picked items by the key of their entity; which keys there are is decided where the registry is known. */
export const selectionSetting = z
  .record(z.string(), z.strictObject({ ids: z.array(platformId).min(1, 'Name at least one id, or leave it out.') }))
  .default({})
  .refine((selection) => Object.values(selection).reduce((sum, { ids }) => sum + ids.length, 0) <= limits.selectedIds, {
    message: `Name at most ${limits.selectedIds} ids in all, or copy the whole entity.`,
  })
  .describe('Picked items, `{"products": {"ids": ["12"]}}`; what they need is copied with them. Empty: whole entities.')
export type Selection = z.infer<typeof selectionSetting>

export const storefrontSetting = platformId
  .nullable()
  .default(null)
  .describe('Channel id of a storefront; both or neither. Then only what these two storefronts have is copied.')

/** One storefront alone has no counterpart. */
export function storefrontsPair(scope: { sourceStorefront: string | null; destStorefront: string | null }): boolean {
  return (scope.sourceStorefront === null) === (scope.destStorefront === null)
}

export const halfAPair = {
  path: ['destStorefront'],
  message: 'Name a storefront of both stores, or of none; GET /v2/stores/{hash}/storefronts lists them.',
}

/** What a selection covers of one component, as it was found at creation. Nothing else is ever created by the run. */
export const scopeEntry = z.strictObject({
  component: z.string(),
  picked: z.int(),
  needed: z
    .int()
    .describe('Not picked, but what was picked cannot be complete without it. Left alone where it exists.'),
  created: z
    .boolean()
    .describe('Whether what is absent at the destination is created; otherwise it is only looked up.'),
  ids: z.array(z.string()).describe('The first ones, at most 200.'),
})
