import { refuse } from '../../http/answers.ts'
import type { SandboxStore } from '../../store/store.ts'
import { categoriesTable } from '../../tables/category-tables.ts'
import { productTable } from '../../tables/product-tables.ts'
import { brandsTable } from '../catalog/brands.ts'
import { channelsTable, DEFAULT_CHANNEL_ID } from '../channels/channels.ts'
import { regionsOf } from '../themes/shown-theme.ts'
import { type EntityType, entityTypeOf } from '../themes/theme-files.ts'
import { pageTable } from './page-rows.ts'
import type { WidgetTarget } from './widget-tables.ts'

const TABLES: Record<EntityType, (store: SandboxStore) => { get(id: number): unknown }> = {
  product: productTable,
  category: categoriesTable,
  brand: brandsTable,
  page: pageTable,
}

export function entityExists(store: SandboxStore, type: EntityType, id: number): boolean {
  return TABLES[type](store).get(id) !== undefined
}

export function refuseUnknownChannel(store: SandboxStore, id: number, field = 'channel_id'): void {
  if (!channelsTable(store).get(id)) refuse(422, `There is no channel ${id}`, { [field]: 'there is no such channel' })
}

/**
 * The target in a query or body. Without a file and an item it is the whole channel.
 * @throws 422 if the theme has no such page
 */
export function targetIn(
  store: SandboxStore,
  said: { channel_id: unknown; template_file: unknown; entity_id: unknown },
): WidgetTarget {
  const channel_id = Number(said.channel_id ?? DEFAULT_CHANNEL_ID)
  if (!Number.isInteger(channel_id)) refuse(422, 'channel_id must be an integer', { channel_id: 'must be an integer' })
  refuseUnknownChannel(store, channel_id)
  const template_file = textOf(said.template_file, 'template_file')
  const entity_id = textOf(said.entity_id, 'entity_id')
  if (template_file !== '' && !regionsOf(store, channel_id, template_file))
    refuse(422, `The theme has no template ${template_file}`, { template_file: 'the theme has no such file' })
  if (entity_id !== '') refuseUnknownEntity(store, template_file, entity_id)
  return { channel_id, template_file, entity_id }
}

function textOf(value: unknown, field: string): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : refuse(422, `${field} must be a text`, { [field]: 'must be a text' })
}

function refuseUnknownEntity(store: SandboxStore, template_file: string, entity_id: string): void {
  const type = entityTypeOf(template_file)
  if (!type) refuse(422, `${template_file || 'Global content'} takes no entity_id`, { entity_id: 'not supported here' })
  if (!/^\d+$/.test(entity_id) || !entityExists(store, type, Number(entity_id)))
    refuse(422, `There is no ${type} ${entity_id}`, { entity_id: `there is no such ${type}` })
}
