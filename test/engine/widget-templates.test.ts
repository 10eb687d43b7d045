import { callStore } from './call-store.ts'
import { testEntityStory } from './entity-story.ts'

const path = '/v3/content/widget-templates'

testEntityStory('widget templates', {
  phases: ['widget-templates'],
  component: 'widget-templates',
  judged: ['widget-templates'],
  table: 'widget_templates',
  edit: { template: '<i>edited</i>' },
  edited: ({ kind }) => kind === 'custom',
  creation: { method: 'POST', path: `${path}$` },
  onlyThere: (world) => callStore(world, 'destination', 'POST', path, { name: 'Only there', template: '<p></p>' }),
  arrange: (world) => callStore(world, 'source', 'POST', path, { name: 'COUNTDOWN', template: '<p>another</p>' }),
})
