import { createHmac } from 'node:crypto'
import type { Component, Draft, PlatformItem } from '../entities/define.ts'
import { componentOf } from '../entities/registry.ts'
import { fingerprint } from './pairing.ts'

/**
 * What may be stored of an item. Catalogue data as it is; of personal and secret components only keyed hashes, ids and field
 * names (S9).
 */
export class Protection {
  private readonly key: Buffer

  /** `key` belongs to one organisation; hashes of two organisations cannot be compared. */
  constructor(key: Buffer) {
    this.key = key
  }

  keys(draft: Draft): string[] {
    return this.open(draft.component) ? draft.keys : draft.keys.map((key) => this.hash(key))
  }

  fingerprint(draft: Draft): string {
    return this.open(draft.component) ? fingerprint(draft) : this.hash(fingerprint(draft))
  }

  /** What two sides are compared by, field for field. */
  compare(component: string, compare: PlatformItem): PlatformItem {
    if (this.open(component)) return compare
    return Object.fromEntries(
      Object.entries(compare).map(([field, value]) => [field, this.hash(JSON.stringify(value ?? null))]),
    )
  }

  /** What an issue may call the item. */
  item(draft: Draft): { name: string | null; sku: string | null; path: string | null } {
    if (!this.open(draft.component))
      return { name: `${componentOf(draft.component).label} ${draft.id}`, sku: null, path: null }
    return { name: draft.name, sku: draft.sku, path: draft.path }
  }

  open(component: string): boolean {
    return dataOf(component) === 'catalogue'
  }

  private hash(text: string): string {
    return createHmac('sha256', this.key).update(text).digest('base64url')
  }
}

function dataOf(component: string): Component['data'] {
  return componentOf(component).data
}
