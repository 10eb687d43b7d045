import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

const read = (name: string) => readFile(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')

interface Rule {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; description: string }
}

interface Panel {
  id: number
  title: string
  targets: { expr: string }[]
}

export const alertsFile = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url))

const { groups } = parse(await read('alerts.yaml')) as { groups: { rules: Rule[] }[] }
export const rules = groups.flatMap((group) => group.rules)

export const dashboard = JSON.parse(await read('grafana-dashboard.json')) as { panels: Panel[] }

/** Every query of the dashboard, by the title of its panel. */
export const panels = dashboard.panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ name: title, expr })),
)
