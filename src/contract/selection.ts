import { z } from 'zod'
import { limits } from './primitives/limits.ts'

/** Ids of the platform as strings: positive whole numbers. */
export const platformId = z.string().regex(/^[1-9]\d{0,14}$/, 'Must be an id of the platform, digits only.')

const ids = z.array(platformId).min(1, 'Name at least one id, or omit the field.')

/** Pages, picked by their template file. */
const pageTemplate = z.strictObject({
  file: z
    .string()
    .max(255)
    .regex(/^pages\/[\w./-]+$/, 'Must be the name of a template file in the theme, such as "pages/home".')
    .describe('Template file of the theme, `pages/home` or `pages/custom/category/landing`.'),
  globals: z
    .boolean()
    .default(false)
    .describe('Also copy the widgets on all pages of the channel, such as in header and footer.'),
  entityIds: ids
    .optional()
    .describe('Only the pages of these items. If omitted, all pages of the file that have widgets.'),
})
export type PageTemplate = z.infer<typeof pageTemplate>

/** Ids of picked items by the key of their entity. */
export type PickedIds = Record<string, { ids: string[] }>

export interface Selection {
  pageTemplates?: PageTemplate[] | undefined
  [entityKey: string]: { ids: string[] } | PageTemplate[] | undefined
}

/**
 * Picked items by the key of their entity, in one order, so that equal selections are equal bodies to an idempotency key.
 * The keys are checked later, where the registry is known.
 */
export const selectionSetting = z
  .object({
    pageTemplates: z.array(pageTemplate).min(1, 'Name at least one template, or omit the field.').max(100).optional(),
  })
  .catchall(z.strictObject({ ids }))
  .overwrite(inOrder)
  .default({})
  .refine((selection) => Object.keys(selection).length <= limits.namedParts, {
    message: `Name at most ${limits.namedParts} entities.`,
  })
  .refine((selection) => countIds(selection) <= limits.selectedIds, {
    message: `Name at most ${limits.selectedIds} ids in all, or copy the whole entity.`,
  })
  .describe(
    'Picked items, e.g. `{"products": {"ids": ["12"]}}`; what they need is copied with them. `pageTemplates`: picked pages. Empty: whole entities.',
  )

function inOrder<Named extends object>(selection: Named): Named {
  const sorted = Object.entries(selection).sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(sorted) as Named
}

/** Everything picked by id: all but the page templates. */
export function pickedIds({ pageTemplates: _templates, ...picked }: Selection): PickedIds {
  // The schema allows nothing else.
  return picked as PickedIds
}

function countIds(selection: Selection): number {
  const ofPages = (selection.pageTemplates ?? []).map(({ entityIds = [] }) => entityIds)
  const ofEntities = Object.values(pickedIds(selection)).map(({ ids }) => ids)
  return [...ofPages, ...ofEntities].flat().length
}

export const storefrontSetting = platformId
  .nullable()
  .default(null)
  .describe(
    'Channel id of a storefront; give both or neither. Then only the content of these two storefronts is copied.',
  )

/** Storefronts are copied in pairs. */
export function storefrontsPair(scope: { sourceStorefront: string | null; destStorefront: string | null }): boolean {
  return (scope.sourceStorefront === null) === (scope.destStorefront === null)
}

export const halfAPair = {
  path: ['destStorefront'],
  message: 'Give a storefront of both stores or of neither; GET /v2/stores/{hash}/storefronts lists them.',
}

/** What a selection covers of one component, determined at creation. The run creates nothing else. */
export const scopeEntry = z.strictObject({
  component: z.string(),
  picked: z.int(),
  needed: z.int().describe('Not picked, but needed by the picked items. Left alone if it exists.'),
  created: z
    .boolean()
    .describe('Whether missing items are created at the destination; otherwise they are only looked up.'),
  ids: z.array(z.string()).describe('The first ids, at most 200.'),
})
