import { z } from 'zod'
import { limits } from './primitives/limits.ts'

/** Ids of the platform, as text: whole numbers above zero. */
export const platformId = z.string().regex(/^[1-9]\d{0,14}$/, 'Give an id as the platform gives it, digits only.')

const ids = z.array(platformId).min(1, 'Name at least one id, or leave it out.')

/** Pages by the template file that shows them. */
const pageTemplate = z.strictObject({
  file: z
    .string()
    .max(255)
    .regex(/^pages\/[\w./-]+$/, 'Give a template file as the theme calls it, "pages/home".')
    .describe('Template file of the theme, `pages/home` or `pages/custom/category/landing`.'),
  globals: z.boolean().default(false).describe('Take along what all pages of the channel show.'),
  entityIds: ids.optional().describe('Items whose pages are meant. Absent: all pages of the file that have something.'),
})
export type PageTemplate = z.infer<typeof pageTemplate>

/** Ids of picked items by the key of their entity. */
export type PickedIds = Record<string, { ids: string[] }>

export interface Selection {
  pageTemplates?: PageTemplate[] | undefined
  [entityKey: string]: { ids: string[] } | PageTemplate[] | undefined
}

/** Picked items by the key of their entity; which keys there are is decided where the registry is known. */
export const selectionSetting = z
  .object({
    pageTemplates: z.array(pageTemplate).min(1, 'Name at least one template, or leave it out.').max(100).optional(),
  })
  .catchall(z.strictObject({ ids }))
  .default({})
  .refine((selection) => countIds(pickedIds(selection)) <= limits.selectedIds, {
    message: `Name at most ${limits.selectedIds} ids in all, or copy the whole entity.`,
  })
  .describe(
    'Picked items, `{"products": {"ids": ["12"]}}`; what they need is copied with them. `pageTemplates`: picked pages. Empty: whole entities.',
  )

/** What is picked by ids: everything but the page templates. */
export function pickedIds({ pageTemplates: _templates, ...picked }: Selection): PickedIds {
  // The schema lets nothing else through.
  return picked as PickedIds
}

function countIds(picked: PickedIds): number {
  return Object.values(picked).reduce((sum, { ids: own }) => sum + own.length, 0)
}

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
