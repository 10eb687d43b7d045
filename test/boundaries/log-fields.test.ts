import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isListedField } from '../../src/log.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The names of the fields that a file gives to a log, where it writes them down. */
function fieldsIn(file: string): string[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (!/log\w*\??\.\w+\(/i.test(text)) return []
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isLogCall(node.expression)) found.push(...namesOf(node.arguments[0]))
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest))
  return found
}

const calls = new Set(['child', 'debug', 'info', 'warn', 'error', 'fatal'])

function isLogCall(called: ts.Expression): boolean {
  if (!ts.isPropertyAccessExpression(called) || !calls.has(called.name.text)) return false
  const { expression: of } = called
  const name = ts.isIdentifier(of) ? of.text : ts.isPropertyAccessExpression(of) ? of.name.text : ''
  return /log$/i.test(name)
}

function namesOf(fields: ts.Node | undefined): string[] {
  if (!fields || !ts.isObjectLiteralExpression(fields)) return []
  return fields.properties.flatMap(({ name }) => (name && ts.isIdentifier(name) ? [name.text] : []))
}

const files = globSync(['src/**/*.ts', 'cli/**/*.ts'], { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

test('every field that is written to the log is a listed one', () => {
  const found = files.flatMap((file) => fieldsIn(file).map((field) => ({ file, field })))
  expect(found.length).toBeGreaterThan(50)
  expect(found.filter(({ field }) => !isListedField(field))).toEqual([])
})
