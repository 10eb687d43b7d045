import type { FaultKind } from '../../sandbox/faults/faults.ts'
import { entities } from '../../src/entities/registry.ts'

/** Bad days of a store that are not faults of single calls. */
export type BadDay = 'originals off' | 'inventory lag'
type Column = FaultKind | BadDay

/** Which components can get a fault; by default every component. */
const only: Partial<Record<Column, readonly string[]>> = {
  // The other pictures of the seed are stored elsewhere, or belong to items that cannot be copied anyway.
  image_unfetchable: ['categories', 'brands', 'product-images'],
  'originals off': ['categories', 'brands', 'product-images'],
  'inventory lag': ['products', 'product-variants'],
}

/** How often each fault hit a call that moves a component. */
export class FaultMatrix {
  private readonly hits = new Map<string, number>()

  add(component: string, fault: Column, hits: number): void {
    const key = `${component} ${fault}`
    this.hits.set(key, (this.hits.get(key) ?? 0) + hits)
  }

  /** Possible pairs that never happened. */
  gaps(faults: readonly Column[]): string[] {
    return faults.flatMap((fault) =>
      meets(fault).flatMap((component) => (this.of(component, fault) > 0 ? [] : [`${component} never met ${fault}`])),
    )
  }

  print(faults: readonly Column[]): string {
    const cell = (component: string, fault: Column) =>
      meets(fault).includes(component) ? String(this.of(component, fault)) : '-'
    const legend = faults.map((fault, at) => `${String.fromCharCode(65 + at)} ${fault}`)
    const head = ['', ...faults.map((_fault, at) => String.fromCharCode(65 + at))]
    const rows = everyComponent().map((component) => [component, ...faults.map((fault) => cell(component, fault))])
    const line = ([name = '', ...cells]: string[]) => name.padEnd(30) + cells.map((text) => text.padStart(5)).join('')
    return ['Faults met, by component:', ...legend, ...[head, ...rows].map(line)].join('\n')
  }

  private of(component: string, fault: Column): number {
    return this.hits.get(`${component} ${fault}`) ?? 0
  }
}

function everyComponent(): string[] {
  return entities.flatMap((entity) => entity.components.map(({ key }) => key))
}

function meets(fault: Column): readonly string[] {
  return only[fault] ?? everyComponent()
}
