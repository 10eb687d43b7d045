import type { Row, SandboxStore } from '../../store/store.ts'
import { sitesTable } from '../channels/sites.ts'
import {
  everyContext,
  looseWidgetTable,
  type PlacedRegion,
  type PlacedWidget,
  regionsIn,
  templateShown,
  type WidgetTarget,
  widgetTemplateTable,
} from './widget-tables.ts'

type Shown = Record<string, unknown>

/** A widget with its position. */
export interface Placement {
  target: WidgetTarget
  region: string
  sort_order: number
  widget: PlacedWidget
  dates: Shown
}

/** All placements, page by page and from top to bottom. */
export function everyPlacement(store: SandboxStore): Placement[] {
  return everyContext(store).flatMap((row) => {
    const target = targetOf(row)
    const { date_created, date_modified } = row
    return regionsIn(row).flatMap((region) =>
      inOrder(region).map((widget, at) => ({
        target,
        region: region.name,
        sort_order: at,
        widget,
        dates: { date_created, date_modified },
      })),
    )
  })
}

export function targetOf({ channel_id, template_file, entity_id }: Row): WidgetTarget {
  return { channel_id: Number(channel_id), template_file: String(template_file), entity_id: String(entity_id) }
}

function inOrder({ children }: PlacedRegion): PlacedWidget[] {
  return children.flatMap((child) =>
    child.type === 'widget' ? [child] : child.dropzones.flatMap(({ widgets }) => widgets),
  )
}

export function placementShown(store: SandboxStore, { target, region, sort_order, widget, dates }: Placement): Shown {
  return {
    uuid: widget.placement_uuid,
    widget: widgetShown(store, widget, target.channel_id, dates),
    template_file: target.template_file,
    ...(target.entity_id !== '' && { entity_id: target.entity_id }),
    region,
    sort_order,
    status: widget.status,
    channel_id: target.channel_id,
    ...dates,
  }
}

/** Widgets on pages and unplaced ones. A widget that is placed several times is listed once. */
export function everyWidget(store: SandboxStore): Shown[] {
  const placed = everyPlacement(store).map(({ widget, target, dates }) =>
    widgetShown(store, widget, target.channel_id, dates),
  )
  const loose = looseWidgetTable(store)
    .find({})
    .map(({ date_created, date_modified, channel_id, ...row }) =>
      widgetShown(store, row as unknown as PlacedWidget, Number(channel_id), { date_created, date_modified }),
    )
  return [...new Map([...placed, ...loose].map((one) => [one.uuid, one])).values()]
}

function widgetShown(store: SandboxStore, widget: PlacedWidget, channel_id: number, dates: Shown): Shown {
  const template = widgetTemplateTable(store).find({ uuid: widget.widget_template_uuid })[0]
  return {
    uuid: widget.uuid,
    name: widget.name,
    description: widget.description,
    widget_configuration: widget.configuration,
    storefront_api_query_params: widget.storefront_api_query_params,
    widget_template: template ? templateShown(template) : {},
    version_uuid: String(template?.current_version_uuid ?? ''),
    channel_id,
    ...dates,
  }
}

/** Channels named by their ids or by their sites; undefined without such a filter. */
export function requestedChannels(store: SandboxStore, channels?: number[], sites?: number[]): number[] | undefined {
  if (!channels && !sites) return undefined
  const ofSites = (sites ?? []).flatMap((id) => sitesTable(store).get(id)?.channel_id ?? [])
  return [...(channels ?? []), ...ofSites.map(Number)]
}
