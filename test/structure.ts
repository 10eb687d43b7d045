import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import ts from 'typescript'

/**
 * `npm run structure [-- --arrows] [-- FOLDER...]`: measures how the tree is laid out. A room is a folder, a floor is how many
 * steps it is above the rooms that import nothing, and an arrow is one or more imports from one room to another. Tests are left out.
 * `--arrows` also lists the rooms with what they import, and the imports that close a cycle of rooms.
 */
const areas = ['src/engine', 'src/entities', 'src/db', 'src/operations', 'sandbox', 'cli']

export interface Module {
  path: string
  lines: number
  imports: { to: string; typeOnly: boolean }[]
  longestFunction: { name: string; line: number; lines: number }
}

export interface Arrow {
  from: string
  to: string
  imports: { from: string; to: string; typeOnly: boolean }[]
}

export interface Structure {
  modules: Module[]
  /** Rooms from the top floor down. */
  rooms: { name: string; modules: number; floor: number }[]
  arrows: Arrow[]
  /** Groups of modules, or of rooms, that reach each other. */
  cycles: { modulesByValue: string[][]; modulesByType: string[][]; roomsByValue: string[][]; roomsByType: string[][] }
}

export function readModules(root: string, folder: string): Module[] {
  const paths = globSync(`${folder}/**/*.ts`, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
  return paths.sort().map((path) => readModule(path, readFileSync(join(root, path), 'utf8')))
}

function readModule(path: string, text: string): Module {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1
  const imports: Module['imports'] = []
  let longestFunction = { name: '', line: 0, lines: 0 }

  const visit = (node: ts.Node): void => {
    const found = importOf(node)
    if (found?.specifier.startsWith('.')) {
      imports.push({ to: normalize(join(dirname(path), found.specifier)), typeOnly: found.typeOnly })
    }
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const line = lineOf(node.getStart())
      const lines = lineOf(node.end) - line + 1
      if (lines > longestFunction.lines) longestFunction = { name: nameOf(node), line, lines }
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { path, lines: text.split('\n').length - 1, imports, longestFunction }
}

function importOf(node: ts.Node): { specifier: string; typeOnly: boolean } | undefined {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const typeOnly = node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
    return { specifier: node.moduleSpecifier.text, typeOnly }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, typeOnly: node.isTypeOnly }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
    return { specifier: node.argument.literal.text, typeOnly: true }
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [specifier] = node.arguments
    if (specifier && ts.isStringLiteral(specifier)) return { specifier: specifier.text, typeOnly: false }
  }
  return undefined
}

function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ? node : node.parent
  return ('name' in named && (named.name as ts.Node | undefined)?.getText()) || '(anonymous)'
}

export function structureOf(all: Module[], area: string): Structure {
  const modules = all.filter(({ path }) => path.startsWith(`${area}/`))
  const inside = new Set(modules.map(({ path }) => path))
  const imports = modules.flatMap((module) =>
    module.imports.filter(({ to }) => inside.has(to)).map((one) => ({ from: module.path, ...one })),
  )
  const byValue = imports.filter(({ typeOnly }) => !typeOnly)
  const between = (list: typeof imports) =>
    list.map((one) => ({ from: dirname(one.from), to: dirname(one.to) })).filter(({ from, to }) => from !== to)

  const names = [...new Set(modules.map(({ path }) => dirname(path)))]
  const floors = floorsOf(names, between(imports))
  const rooms = names.map((name) => ({
    name,
    modules: modules.filter(({ path }) => dirname(path) === name).length,
    floor: floors.get(name) ?? 0,
  }))

  const arrows = new Map<string, Arrow>()
  for (const one of imports) {
    const [from, to] = [dirname(one.from), dirname(one.to)]
    if (from === to) continue
    const arrow = arrows.get(`${from} ${to}`) ?? { from, to, imports: [] }
    arrow.imports.push(one)
    arrows.set(`${from} ${to}`, arrow)
  }

  return {
    modules,
    rooms: rooms.sort((a, b) => b.floor - a.floor || a.name.localeCompare(b.name)),
    arrows: [...arrows.values()],
    cycles: {
      modulesByValue: cyclesOf([...inside], byValue),
      modulesByType: cyclesOf([...inside], imports),
      roomsByValue: cyclesOf(names, between(byValue)),
      roomsByType: cyclesOf(names, between(imports)),
    },
  }
}

interface Edge {
  from: string
  to: string
}

/** Tarjan's strongly connected components; each comes after everything it reaches. */
function componentsOf(nodes: string[], edges: Edge[]): string[][] {
  const targets = Map.groupBy(edges, ({ from }) => from)
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const components: string[][] = []

  const visit = (node: string): number => {
    const own = index.size
    index.set(node, own)
    low.set(node, own)
    stack.push(node)
    for (const { to } of targets.get(node) ?? []) {
      const reached = index.has(to) ? (stack.includes(to) ? (index.get(to) ?? own) : own) : visit(to)
      low.set(node, Math.min(low.get(node) ?? own, reached))
    }
    if (low.get(node) === own) components.push(stack.splice(stack.indexOf(node)))
    return low.get(node) ?? own
  }
  for (const node of nodes) if (!index.has(node)) visit(node)
  return components
}

function cyclesOf(nodes: string[], edges: Edge[]): string[][] {
  return componentsOf(nodes, edges).filter(({ length }) => length > 1)
}

/** Rooms of a cycle share a floor. */
function floorsOf(nodes: string[], edges: Edge[]): Map<string, number> {
  const floors = new Map<string, number>()
  for (const component of componentsOf(nodes, edges)) {
    const below = edges.filter(({ from, to }) => component.includes(from) && !component.includes(to))
    const floor = Math.max(0, ...below.map(({ to }) => (floors.get(to) ?? 0) + 1))
    for (const node of component) floors.set(node, floor)
  }
  return floors
}

function largest<T>(list: T[], size: (one: T) => number): T {
  return list.reduce((best, one) => (size(one) > size(best) ? one : best))
}

function summaryOf({ modules, rooms, arrows, cycles }: Structure): Record<string, string | number> {
  const folder = largest(rooms, (room) => room.modules)
  const file = largest(modules, ({ lines }) => lines)
  const home = largest(modules, ({ longestFunction }) => longestFunction.lines)
  const { name, line, lines } = home.longestFunction
  return {
    modules: modules.length,
    rooms: rooms.length,
    floors: Math.max(...rooms.map(({ floor }) => floor)) + 1,
    'arrows between rooms': arrows.length,
    'cycles of rooms, value / with types': `${cycles.roomsByValue.length} / ${cycles.roomsByType.length}`,
    'cycles of modules, value / with types': `${cycles.modulesByValue.length} / ${cycles.modulesByType.length}`,
    'largest folder': `${folder.modules} modules, ${folder.name}`,
    'largest file': `${file.lines} lines, ${file.path}`,
    'longest function': `${lines} lines, ${name} in ${home.path}:${line}`,
  }
}

export function printStructure(structure: Structure, area: string, withArrows: boolean): void {
  console.log(`\n${area}`)
  for (const [what, value] of Object.entries(summaryOf(structure))) console.log(`  ${what.padEnd(38)} ${value}`)
  for (const cycle of structure.cycles.modulesByType) console.log(`  cycle of modules: ${cycle.join(', ')}`)
  if (!withArrows) return
  const short = (path: string) => path.slice(area.length + 1) || '.'
  for (const { name, modules, floor } of structure.rooms) {
    const below = structure.arrows.filter(({ from }) => from === name).map(({ to }) => short(to))
    console.log(`  floor ${floor}  ${short(name)} (${modules}) -> ${below.sort().join(', ') || 'nothing'}`)
  }
  for (const cycle of structure.cycles.roomsByType) {
    console.log(`  cycle of rooms: ${cycle.map(short).join(', ')}`)
    for (const { from, to, imports } of structure.arrows) {
      if (!cycle.includes(from) || !cycle.includes(to)) continue
      for (const one of imports) {
        console.log(`    ${short(from)} -> ${short(to)}  ${one.from} -> ${one.to}${one.typeOnly ? ' (type)' : ''}`)
      }
    }
  }
}

if (import.meta.main) {
  const [withArrows, folders] = [
    process.argv.includes('--arrows'),
    process.argv.slice(2).filter((one) => one[0] !== '-'),
  ]
  for (const area of folders.length > 0 ? folders : areas) {
    printStructure(structureOf(readModules(process.cwd(), area), area), area, withArrows)
  }
}
