import { componentOf } from '../../src/entities/registry.ts'
import { specs } from '../entities/specs/all-specs.ts'
import type { Story } from '../entities/specs/story.ts'
import { callStore } from './call-store.ts'
import { type StorySubject, testEntityStory } from './entity-story.ts'

for (const { entity, story } of specs) if (story) testEntityStory(subjectOf(entity, story))

function subjectOf(entity: string, { onlyThere, copiedBefore, madeBefore, ...story }: Story): StorySubject {
  return {
    ...story,
    name: componentOf(entity).label.toLowerCase(),
    phases: [entity],
    component: entity,
    judged: [entity],
    ...(onlyThere && {
      onlyThere: (world) => callStore(world, 'destination', 'POST', onlyThere.path, onlyThere.body),
    }),
    arrange: async (world) => {
      if (madeBefore) await callStore(world, 'source', 'POST', madeBefore.path, madeBefore.body)
      if (copiedBefore) await world.complete({ entities: copiedBefore })
    },
  }
}
