import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Files that keep something beside the context of a run, and why. */
const kept: Record<string, string> = {
  'src/engine/child/child.ts': 'the process of one run hears its signals wherever it is',
  'src/engine/core/pairing.ts': 'a digest of the fields of a draft is kept as long as these fields',
  'src/engine/core/references.ts': 'the mappings of a page are grouped, which is kept as long as these mappings',
}

/** Variables of a module that can change: `let`, and maps and sets that begin empty. */
function stateIn(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(`${root}/${file}`, 'utf8'), ts.ScriptTarget.Latest)
  return source.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList: { flags, declarations } }) =>
      declarations
        .filter((one) => (flags & ts.NodeFlags.Let) !== 0 || beginsEmpty(one))
        .map(({ name }) => `${file}: ${name.getText(source)}`),
    )
}

function beginsEmpty({ type, initializer }: ts.VariableDeclaration): boolean {
  if (!initializer || !ts.isNewExpression(initializer) || !ts.isIdentifier(initializer.expression)) return false
  const isReadOnly = type !== undefined && ts.isTypeReferenceNode(type)
  const isEmpty = (initializer.arguments ?? []).length === 0
  return !isReadOnly && isEmpty && ['Map', 'Set', 'WeakMap', 'WeakSet'].includes(initializer.expression.text)
}

test('no module of the engine remembers anything between runs: what changes while a run works is in its context', () => {
  const files = globSync('src/engine/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => !(file in kept)).flatMap(stateIn)).toEqual([])
})
