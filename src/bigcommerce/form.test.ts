import { expect, test } from 'vitest'
import { encodeForm } from './form.ts'

async function decoded(fileName: string, bytes: Buffer): Promise<File> {
  const { contentType, body } = encodeForm({ field: 'LogoFile', fileName, contentType: 'image/png', bytes })
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData()
  expect([...form.keys()]).toEqual(['LogoFile'])
  return form.get('LogoFile') as File
}

test.each([
  ['an empty file', Buffer.alloc(0)],
  ['line breaks at both ends', Buffer.from('\r\n--x\r\n')],
  ['every byte', Buffer.from(Array.from({ length: 256 }, (_, at) => at))],
])('a form keeps the bytes of its file: %s', async (_title, bytes) => {
  const file = await decoded('logo.png', bytes)
  expect(file).toMatchObject({ name: 'logo.png', type: 'image/png' })
  expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes)
})

test('quotes and line breaks in a name are escaped', async () => {
  const bytes = Buffer.from('x')
  expect((await decoded('größe.png', bytes)).name).toBe('größe.png')
  const { body } = encodeForm({ field: 'f', fileName: 'a"\r\nX-Evil: 1.png', contentType: 'image/png', bytes })
  expect(body.toString()).toContain('filename="a%22%0D%0AX-Evil: 1.png"\r\n')
})
