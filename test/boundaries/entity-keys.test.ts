import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { entities } from '../../src/entities/registry.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files that must spell some keys, and why. */
const spelt: Record<string, { keys: readonly string[]; why: string }> = {
  'src/operations/catalog/count-catalog.ts': {
    keys: ['categories', 'brands', 'products'],
    why: 'the default of a parameter, recorded in openapi.json',
  },
}

/** The kinds of items that a probe makes have names of their own: it asks the platform, and copies nothing. */
const aboutKinds = 'src/probe/'

const known = new Set(entities.flatMap(({ key, components }) => [key, ...components.map((one) => one.key)]))

/** Parsing takes long, and most files have none of them. */
const anyKey = new RegExp(`['\`](${[...known].join('|')})['\`:/]`)

function literalsIn(file: string): string[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (!anyKey.test(text)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || namesColumns(node)) return
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) found.push(node.text)
    if (ts.isTemplateHead(node)) found.push(node.text.replace(/[:/].*$/s, ''))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Some columns have the name of an entity. */
function namesColumns(node: ts.Node): boolean {
  return ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName) && node.typeName.text === 'Columns'
}

function isChecked(file: string): boolean {
  const isExempt = file.startsWith('src/entities/') || file.startsWith(aboutKinds)
  return !isExempt && !file.endsWith('.test.ts')
}

const files = globSync(['src/**/*.ts', 'cli/**/*.ts'], { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter(isChecked)

test('no key of an entity or component is spelt outside of src/entities', () => {
  const strays = files.flatMap((file) =>
    literalsIn(file)
      .filter((literal) => known.has(literal) && !spelt[file]?.keys.includes(literal))
      .map((key) => `${file}: ${key}`),
  )
  expect(strays).toEqual([])
})

test('every exception is still needed', () => {
  for (const [file, { keys }] of Object.entries(spelt))
    expect(literalsIn(file)).toEqual(expect.arrayContaining([...keys]))
})
