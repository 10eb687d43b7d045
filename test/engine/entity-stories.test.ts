import { specs } from '../entities/specs/all-specs.ts'
import { callStore } from './call-store.ts'
import { testEntityStory } from './entity-story.ts'

for (const { stories = [] } of specs)
  for (const { onlyThere, copiedBefore, madeBefore, ...story } of stories)
    testEntityStory({
      ...story,
      ...(onlyThere && {
        onlyThere: (world) => callStore(world, 'destination', 'POST', onlyThere.path, onlyThere.body),
      }),
      arrange: async (world) => {
        if (madeBefore) await callStore(world, 'source', 'POST', madeBefore.path, madeBefore.body)
        if (copiedBefore) await world.complete({ entities: copiedBefore })
      },
    })
