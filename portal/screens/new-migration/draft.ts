import * as z from 'zod/mini'
import { conflictStrategies } from '../../../src/contract/modes.ts'
import { limits, usualPruneLimits } from '../../../src/contract/primitives/limits.ts'
import type { ForecastBody, MigrationBody, MigrationRequest } from '../../data/queries.ts'
import type { ItemLink } from './item-link.ts'

const picked = z.object({ entity: z.string(), id: z.string(), name: z.nullable(z.string()) })
export type Picked = z.infer<typeof picked>

export const scopes = ['everything', 'kinds', 'items', 'templates'] as const
export type DraftScope = (typeof scopes)[number]

const draftShape = z.object({
  source: z.string(),
  destination: z.string(),
  sourceStorefront: z.nullable(z.string()),
  destStorefront: z.nullable(z.string()),
  scope: z.enum(scopes),
  kinds: z.array(z.string()),
  picks: z.array(picked),
  templates: z.array(z.string()),
  /** Of a template whose pages a program picked: the items of these pages, by its file. */
  pagesOf: z._default(z.record(z.string(), z.array(z.string())), {}),
  siteWide: z.boolean(),
  themes: z.enum(['none', 'upload', 'activate']),
  strategy: z.enum(conflictStrategies),
  isTrial: z.boolean(),
  confirmsDeletions: z.boolean(),
  /** As typed. They only apply if the person does not want to confirm the list. */
  deletionPercent: z.string(),
  deletionItems: z.string(),
  deleteShoppersData: z.array(z.string()),
  orderStatuses: z.array(z.string()),
  overwrite: z.array(z.string()),
  createAgain: z._default(z.array(z.string()), []),
  customerConsent: z.boolean(),
  comparesPictures: z._default(z.boolean(), false),
  muteMails: z.boolean(),
  autoHeal: z.boolean(),
  label: z.string(),
})
/** The choices for a migration that has not been started. */
export type Draft = z.infer<typeof draftShape>

/** Parts whose deleted copies are only created again if a migration asks for it. */
export const staysDeleted = ['customers', 'subscribers', 'wishlists']

export const emptyDraft: Draft = {
  source: '',
  destination: '',
  sourceStorefront: null,
  destStorefront: null,
  scope: 'everything',
  kinds: [],
  picks: [],
  templates: [],
  pagesOf: {},
  siteWide: false,
  themes: 'none',
  strategy: 'skip',
  isTrial: true,
  confirmsDeletions: true,
  deletionPercent: String(usualPruneLimits.percent),
  deletionItems: String(usualPruneLimits.items),
  deleteShoppersData: [],
  orderStatuses: [],
  overwrite: [],
  createAgain: [],
  customerConsent: false,
  comparesPictures: false,
  muteMails: true,
  autoHeal: true,
  label: '',
}

/** The draft that the browser stored. One from an older version, or edited by hand, is ignored. */
export function readDraft(text: string | null): Draft | undefined {
  try {
    return text === null ? undefined : z.parse(draftShape, JSON.parse(text))
  } catch {
    return undefined
  }
}

/** What a choice of other stores changes with them: storefronts, and what was picked in the source, are not theirs. */
export function changeOfStores(
  draft: Draft,
  { source = draft.source, destination = draft.destination }: Partial<Draft>,
): Partial<Draft> {
  const isOtherSource = source !== draft.source
  return {
    source,
    destination,
    ...((isOtherSource || destination !== draft.destination) && { sourceStorefront: null, destStorefront: null }),
    ...(isOtherSource && { picks: [], templates: [], pagesOf: {} }),
  }
}

/** The choices without stores that are not connected any more, and without what was picked in them. */
export function withoutGone(draft: Draft, connected: readonly string[]): Draft {
  const kept = (hash: string) => (connected.includes(hash) ? hash : '')
  return {
    ...draft,
    ...changeOfStores(draft, { source: kept(draft.source), destination: kept(draft.destination) }),
  }
}

/**
 * A missing choice, with the section where it is made; undefined if the draft is complete enough to ask the service.
 */
export function missingChoice(draft: Draft): { field: string; message: string } | undefined {
  const { source, destination, scope, kinds, picks, templates } = draft
  if (source === '') return { field: 'new-source', message: 'Choose the store to copy from.' }
  if (destination === '') return { field: 'new-destination', message: 'Choose the store to copy to.' }
  if (source === destination) return { field: 'new-destination', message: 'Choose two different stores.' }
  if ((draft.sourceStorefront === null) !== (draft.destStorefront === null))
    return { field: 'new-stores', message: 'Choose a storefront of both stores, or the whole stores.' }
  if (scope === 'kinds' && kinds.length === 0) return { field: 'new-what', message: 'Choose at least one kind.' }
  if (scope === 'items' && picks.length === 0) return { field: 'new-what', message: 'Pick at least one item.' }
  if (scope === 'templates' && templates.length === 0)
    return { field: 'new-what', message: 'Choose at least one page template.' }
  if (draft.strategy === 'replace' && !draft.confirmsDeletions) {
    const { percent, items } = limitProblems(draft)
    if (percent !== undefined) return { field: 'new-percent', message: percent }
    if (items !== undefined) return { field: 'new-items', message: items }
  }
  return undefined
}

/** Only beside whole kinds is there a choice about themes. One that was made there before does not count elsewhere. */
export function themesOf({ scope, themes }: Pick<Draft, 'scope' | 'themes'>): Draft['themes'] {
  return scope === 'everything' || scope === 'kinds' ? themes : 'none'
}

/** The request for the forecast and the preflight check. */
export function forecastBodyOf(draft: Draft): ForecastBody {
  const { source, destination, sourceStorefront, destStorefront, strategy } = draft
  const themes = themesOf(draft)
  return {
    source,
    destination,
    mode: draft.isTrial ? 'dry-run' : 'full',
    conflictStrategy: strategy,
    sourceStorefront,
    destStorefront,
    ...(draft.scope === 'kinds' && { entities: draft.kinds }),
    selection: selectionOf(draft),
    orderStatuses: draft.orderStatuses as NonNullable<ForecastBody['orderStatuses']>,
    overwriteLiving: draft.overwrite,
    pruneLive: deletesOfShoppers(draft) ? draft.deleteShoppersData : [],
    recreateErased: draft.createAgain,
    customerConsent: draft.customerConsent,
    ...(themes !== 'none' && { themes }),
  }
}

/** The request that starts the migration. */
export function migrationBodyOf(draft: Draft): MigrationBody {
  const label = draft.label.trim()
  return {
    ...forecastBodyOf(draft),
    autoHeal: draft.autoHeal,
    muteMails: draft.muteMails,
    deepImages: draft.comparesPictures,
    ...(draft.strategy === 'replace' && deletionLimits(draft)),
    ...(label !== '' && { label }),
  }
}

/** With limits of 0 the migration asks before any deletion. */
function deletionLimits({ confirmsDeletions, deletionPercent, deletionItems }: Draft) {
  if (confirmsDeletions) return { pruneLimitPercent: 0, pruneLimitItems: 0 }
  return { pruneLimitPercent: Number(deletionPercent), pruneLimitItems: Number(deletionItems) }
}

/** What is wrong with the limits as typed, by field. */
export function limitProblems({ deletionPercent, deletionItems }: Draft): { percent?: string; items?: string } {
  return {
    ...(!/^\d{1,3}$/.test(deletionPercent) || Number(deletionPercent) > 100
      ? { percent: 'Enter a whole number from 0 to 100.' }
      : {}),
    ...(!/^\d{1,9}$/.test(deletionItems) ? { items: 'Enter a whole number.' } : {}),
  }
}

/** Whether the migration may delete more without asking than operators can allow. */
export function isWide({ strategy, confirmsDeletions, deletionPercent, deletionItems }: Draft): boolean {
  if (strategy !== 'replace' || confirmsDeletions) return false
  return Number(deletionPercent) > usualPruneLimits.percent || Number(deletionItems) > usualPruneLimits.items
}

/** Whether the migration may delete what shoppers made, which only owners can allow. */
export function deletesOfShoppers({ strategy, deleteShoppersData }: Draft): boolean {
  return strategy === 'replace' && deleteShoppersData.length > 0
}

type Selection = NonNullable<MigrationBody['selection']>

function selectionOf({ scope, picks, templates, pagesOf, siteWide }: Draft): Selection {
  if (scope === 'items') return Object.fromEntries([...Map.groupBy(picks, ({ entity }) => entity)].map(idsOf))
  if (scope !== 'templates') return {}
  // The widgets on all pages are requested with just one of the templates.
  const pageTemplates = templates.map((file, at) => ({
    file,
    globals: siteWide && at === 0,
    ...(pagesOf[file] && { entityIds: pagesOf[file] }),
  }))
  // The index signature of the generated type only applies to the other keys.
  return { pageTemplates } as unknown as Selection
}

function idsOf([entity, items]: [string, Picked[]]): [string, { ids: string[] }] {
  return [entity, { ids: items.map(({ id }) => id) }]
}

/** The choices of an earlier migration, to start it again. After a trial run, it is started for real. */
export function draftFrom(
  { settings, label }: Pick<MigrationRequest, 'settings' | 'label'>,
  stores: { source: string; destination: string },
): Draft {
  const { pageTemplates = [], ...byEntity } = settings.selection as Record<string, unknown> & {
    pageTemplates?: { file: string; globals: boolean; entityIds?: string[] }[]
  }
  const picks = Object.entries(byEntity).flatMap(([entity, value]) =>
    (value as { ids: string[] }).ids.map((id) => ({ entity, id, name: null })),
  )
  const { entities } = settings
  return {
    ...emptyDraft,
    ...stores,
    sourceStorefront: settings.sourceStorefront,
    destStorefront: settings.destStorefront,
    scope: picks.length > 0 ? 'items' : pageTemplates.length > 0 ? 'templates' : entities ? 'kinds' : 'everything',
    kinds: entities ?? [],
    picks,
    templates: pageTemplates.map(({ file }) => file),
    pagesOf: Object.fromEntries(pageTemplates.flatMap(({ file, entityIds }) => (entityIds ? [[file, entityIds]] : []))),
    siteWide: pageTemplates.some(({ globals }) => globals),
    themes: settings.themes ?? 'none',
    strategy: settings.conflictStrategy,
    isTrial: false,
    // By default a person is asked, and has to turn that off. A limit of 0 asks before any deletion.
    confirmsDeletions:
      settings.conflictStrategy !== 'replace' || settings.pruneLimitPercent === 0 || settings.pruneLimitItems === 0,
    deletionPercent: String(settings.pruneLimitPercent || usualPruneLimits.percent),
    deletionItems: String(settings.pruneLimitItems || usualPruneLimits.items),
    deleteShoppersData: settings.pruneLive,
    orderStatuses: settings.orderStatuses,
    overwrite: settings.overwriteLiving,
    createAgain: settings.recreateErased,
    customerConsent: settings.customerConsent,
    comparesPictures: settings.deepImages,
    muteMails: settings.muteMails,
    autoHeal: settings.autoHeal,
    label: label ?? '',
  }
}

/** The draft for a link that asks to copy one item. */
export function draftOfItem(link: ItemLink): Draft {
  const [entity = '', id = ''] = link.pick.split(':')
  return {
    ...emptyDraft,
    source: link.source ?? '',
    destination: link.destination ?? '',
    sourceStorefront: link.sourceStorefront ?? null,
    destStorefront: link.destStorefront ?? null,
    scope: 'items',
    picks: [{ entity, id, name: link.name ?? null }],
    strategy: link.strategy ?? 'skip',
    isTrial: false,
    label: link.name === undefined ? '' : `Only ${link.name}`.slice(0, limits.textLength),
  }
}

/** The section that an error of the service is about, by the first part of its path. */
export function fieldOfPath(path: string): string {
  const fields: Record<string, string> = {
    source: 'new-source',
    destination: 'new-destination',
    sourceStorefront: 'new-stores',
    destStorefront: 'new-stores',
    entities: 'new-what',
    selection: 'new-what',
    themes: 'new-what',
    label: 'new-label',
    pruneLimitPercent: 'new-percent',
    pruneLimitItems: 'new-items',
  }
  return fields[path.split('.')[0] ?? ''] ?? 'new-how'
}
