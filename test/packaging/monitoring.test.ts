import { expect, test } from 'vitest'
import { createMetrics } from '../../src/metrics/metrics.ts'
import { dashboard, panels, rules } from './monitoring.ts'

const expressions = [...rules.map(({ alert, expr }) => ({ name: alert, expr })), ...panels]

/** What a process serves, with every metric and at least one series of each. */
async function servedSeries(): Promise<Map<string, Record<string, Set<string>>>> {
  const none = { waiting: 0, oldestSeconds: 0 }
  const metrics = createMetrics({
    numbers: async () => ({ queued: 0, working: 0, waiting: 0, oldestQueuedSeconds: 0, hosts: 0, slots: 0 }),
    outbox: async () => ({ due: 0, lagSeconds: 0 }),
    notifications: async () => ({ event: none, webhook: none, mail: none }),
  })
  metrics.answered({ method: 'GET', route: '/v2/migrations', httpStatus: 500, seconds: 1 })
  const series = new Map<string, Record<string, Set<string>>>()
  for (const [, name = '', labels = ''] of (await metrics.text()).body.matchAll(/^([a-z]\w*)(?:\{(.*)\})? /gm)) {
    const known = series.get(name) ?? {}
    for (const [, label = '', value = ''] of labels.matchAll(/(\w+)="([^"]*)"/g))
      known[label] = (known[label] ?? new Set()).add(value)
    series.set(name, known)
  }
  return series
}
const served = await servedSeries()

/** Prometheus adds `up`, `job` and `instance` by itself. */
const added = new Set(['job', 'instance'])
const selectors = (expr: string) => [...expr.matchAll(/\b((?:storeferry|nodejs|process)_\w+)(?:\{([^}]*)\})?/g)]

test.each(expressions)('every metric, label and value that $name reads is one that a process serves', ({ expr }) => {
  const found = selectors(expr)
  expect(found.length > 0 || expr.startsWith('up{')).toBe(true)
  for (const [, metric = '', matchers = ''] of found) {
    const known = served.get(metric)
    expect(known, metric).toBeDefined()
    for (const [, label = '', sign, wanted = ''] of matchers.matchAll(/(\w+)(=~|=)"([^"]*)"/g)) {
      if (added.has(label)) continue
      const pattern = sign === '=' ? [wanted] : wanted.split('|')
      for (const one of pattern) {
        const matching = [...(known?.[label] ?? [])].filter((value) => new RegExp(`^(?:${one})$`).test(value))
        expect(matching, `${metric} ${label} ${one}`).not.toEqual([])
      }
    }
  }
})

test('what an expression groups by is a label of a metric in it', () => {
  for (const { name, expr } of expressions)
    for (const [, grouped = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
      const labels = selectors(expr).flatMap(([, metric = '']) => Object.keys(served.get(metric) ?? {}))
      expect(labels, name).toEqual(expect.arrayContaining(grouped.split(/,\s*/)))
    }
})

test('every metric of our own is shown on the dashboard', () => {
  const shown = new Set(panels.flatMap(({ expr }) => selectors(expr).map(([, metric]) => metric)))
  const own = [...served.keys()].filter((name) => name.startsWith('storeferry_'))
  expect(own.filter((name) => !shown.has(name) && !name.endsWith('_sum'))).toEqual([])
})

test('every alert has its own name, a severity, and a sentence that says what to do', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
    expect(annotations.description).toMatch(/\.$/)
  }
})

test('every panel has an id of its own', () => {
  expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length)
})
