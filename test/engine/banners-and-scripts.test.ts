import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorld, type World } from '../harness/world.ts'
import { callStore } from './call-store.ts'
import { tellEntityStory } from './entity-story.ts'

const only = { page: 'home_page', location: 'top', date_type: 'always', content: '<p>Only there</p>' }

describe('banners', () => {
  tellEntityStory({
    phases: ['categories', 'brands', 'banners'],
    component: 'banners',
    table: 'banners',
    judged: ['banners'],
    edit: { content: '<p>Edited</p>' },
    creation: { method: 'POST', path: '^/v2/banners$' },
    onlyThere: (world) => callStore(world, 'destination', 'POST', '/v2/banners', { name: 'Only there', ...only }),
  })
})

describe('scripts', () => {
  tellEntityStory({
    phases: ['scripts'],
    component: 'scripts',
    table: 'scripts',
    judged: ['scripts'],
    edit: { location: 'footer' },
    edited: ({ location }) => location === 'head',
    creation: { method: 'POST', path: '^/v3/content/scripts$' },
    onlyThere: (world) =>
      callStore(world, 'destination', 'POST', '/v3/content/scripts', {
        name: 'Only',
        src: 'https://only.example/a.js',
      }),
  })
})

describe('banners and scripts of two stores', () => {
  let world: World
  beforeAll(async () => {
    world = await startWorld({ seeds: { source: 'awkward' } })
  })
  afterAll(() => world?.stop())

  test('a script is created switched off and switched on at the end; one of another account is not shown, one of another channel told', async () => {
    const run = await world.complete({ entities: ['scripts'] })
    const calls = (await world.requests('destination', 'POST')).filter(({ path }) => path === '/v3/content/scripts')
    expect(calls.length).toBeGreaterThan(0)
    const source = (await world.state('source')).scripts ?? []
    const copies = (await world.state('destination')).scripts ?? []
    const elsewhere = ['Of another app', 'On a closed storefront']
    const moved = source.filter(({ name }) => !elsewhere.includes(String(name)))
    expect(copies.map(({ name, enabled }) => `${name} ${enabled}`).sort()).toEqual(
      moved.map(({ name, enabled }) => `${name} ${enabled}`).sort(),
    )
    const told = (await world.findings(run.requestId)).filter(({ component }) => component === 'scripts')
    expect(told.map(({ code }) => code)).toEqual(['not_copied'])
    const hash = /\/\/([^.]+)/.exec(String((await world.state('source')).sites?.[0]?.url))?.[1] ?? ''
    expect(JSON.stringify(copies)).not.toContain(hash)
  })

  test('a banner is shown with the copies of its category and brand, and not copied without them', async () => {
    const run = await world.complete({ entities: ['categories', 'brands', 'banners'] })
    expect(run.status).toBe('partial_completed')
    const { banners = [], categories = [], brands = [] } = await world.state('destination')
    const names = (await world.state('source')).banners?.map(({ name }) => name) ?? []
    // Several are made at once: which comes first is nobody's promise.
    expect(banners.map(({ name }) => name).sort()).toEqual(names.filter((name) => name !== 'Category gone').sort())
    const placeOf = (name: string) => Number(banners.find((banner) => banner.name === name)?.item_id)
    expect(categories.find(({ id }) => id === placeOf('In a category'))?.name).toBe('Shoes')
    expect(brands.find(({ id }) => id === placeOf('Of a maker'))?.name).toBe('Plain')
    expect(placeOf('In every category')).toBe(0)
    const failed = (await world.issues(run.requestId)).filter(({ component }) => component === 'banners')
    expect(failed.filter(({ severity }) => severity === 'failure').map(({ code }) => code)).toEqual([
      'missing_reference',
    ])
  })
})
