import { specs } from '../entities/specs/all-specs.ts'
import { testEntityStory } from './entity-story.ts'

for (const { stories = [] } of specs) for (const story of stories) testEntityStory(story)
