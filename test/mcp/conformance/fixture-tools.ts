import type { ToolSet } from '../../../src/mcp/protocol.ts'
import { ourTools } from '../../../src/mcp/protocol.ts'

const text = (words: string) => ({ type: 'text' as const, text: words })
/** The smallest there are of their kinds: one pixel, no sound. */
const pixel = {
  type: 'image' as const,
  mimeType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
}
const silence = {
  type: 'audio' as const,
  mimeType: 'audio/wav',
  data: 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=',
}
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
})

/** What the scenarios call, by the names and with the answers that they ask for. */
const answers = {
  test_simple_text: { content: [text('This is a simple text response for testing.')] },
  test_image_content: { content: [pixel] },
  test_audio_content: { content: [silence] },
  test_embedded_resource: {
    content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  },
  test_multiple_content_types: {
    content: [
      text('Multiple content types test:'),
      pixel,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  },
  test_error_handling: { isError: true, content: [text('This tool intentionally returns an error for testing')] },
}

/** Words of JSON Schema 2020-12 that have to reach the client as they are. Source: the suite's scenario of that name. */
const schemaWords = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema, and nothing awaits it.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

/** Our tools and, besides, those of the conformance suite: no service has them. */
export const withFixtures: ToolSet = {
  listed: [
    ...ourTools.listed,
    ...Object.keys(answers).map((name) => ({
      name,
      description: 'For the conformance suite.',
      inputSchema: { type: 'object' as const },
    })),
    { name: 'json_schema_2020_12_tool', description: 'For the conformance suite.', inputSchema: schemaWords },
  ],
  call(name, given, caller, deps, countLive) {
    if (name in answers) return Promise.resolve(answers[name as keyof typeof answers])
    return ourTools.call(name, given, caller, deps, countLive)
  },
}
