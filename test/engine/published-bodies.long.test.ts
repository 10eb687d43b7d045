import { expect, onTestFinished, test } from 'vitest'
import { resources } from '../../sandbox/registry.ts'
import { addCatalogueParts } from '../comparison/more-catalogue.ts'
import { addModifiers } from '../comparison/more-modifiers.ts'
import { edited } from '../entities/stories.ts'
import { type SentBody, startKeepingBodies } from '../harness/keep-bodies.ts'
import { aWorld } from '../harness/world.ts'
import {
  operationKey,
  orHowToGetSpecs,
  publishedBody,
  readPublishedOperations,
  specsFolder,
} from '../sandbox/contract/published-operations.ts'
import { checkSchema } from '../sandbox/contract/schema-check.ts'

const ofOneValue =
  'the file names it for one value of a modifier and in answers, and a value cannot be made without its label'
const modifierFields = [
  ...['label', 'sort_order', 'value_data'],
  ...['adjusters.image_url', 'adjusters.purchasing_disabled', 'adjusters.weight'],
]

/** Fields that the files do not name for a call, and why they are sent all the same. */
const alsoSent: Record<string, string> = {
  ...Object.fromEntries(
    [
      'POST /v3/catalog/products/:productId/modifiers',
      'PUT /v3/catalog/products/:productId/modifiers/:modifierId',
    ].flatMap((call) => modifierFields.map((field) => [`${call} option_values[].${field}`, ofOneValue])),
  ),
  'PUT /v3/catalog/products/:productId/videos/:childId video_id':
    'the file names it for creating a video, and a video that was replaced could not be corrected without it',
}

const routes = resources
  .flatMap(({ routes }) => routes)
  .map(({ method, path }) => ({
    method,
    path,
    pattern: new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`),
  }))

test.skipIf(!specsFolder)(
  orHowToGetSpecs('G16: no field is sent to version 3 that the published file of its resource does not name'),
  async () => {
    const bodies = await startKeepingBodies()
    onTestFinished(() => bodies.stop())
    const world = await aWorld({ apiUrl: bodies.url })
    bodies.forwardTo(world.sandboxUrl)
    await addModifiers(world)
    await addCatalogueParts(world, 'source')
    const first = await world.complete()
    expect(first).toMatchObject({ failuresOpen: 0 })
    const { planted, update } = await edited({ world, clean: true, first })
    expect(planted.size).toBeGreaterThan(40)
    expect(update).toMatchObject({ failuresOpen: 0 })
    const toVersion3 = bodies.sent.filter(({ path }) => path.startsWith('/v3/'))
    expect(new Set(toVersion3.map(({ path }) => path)).size).toBeGreaterThan(30)
    const found = new Set(toVersion3.flatMap(unpublishedFields))
    expect([...found].filter((line) => !(line in alsoSent)).sort()).toEqual([])
    expect(Object.keys(alsoSent).filter((line) => !found.has(line))).toEqual([])
  },
)

const operations = readPublishedOperations()

function unpublishedFields({ method, path, body }: SentBody): string[] {
  const route = routes.find((one) => one.method === method && one.pattern.test(path))
  const operation = route && operations.get(operationKey(method, route.path))
  const schema = operation && publishedBody(operation)
  if (!route || !schema) return [`${method} ${route?.path ?? path} takes no body`]
  return checkSchema(operation.document, schema, body)
    .filter(({ says }) => says === 'is not in the file')
    .map(({ at }) => `${method} ${route.path} ${at}`)
}
