import { createCipheriv, createDecipheriv, createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto'
import type { BeforeImage } from '../../db/ledger/intents.ts'
import type { Component } from '../../entities/core/component.ts'
import type { Draft, PlatformItem } from '../../entities/core/draft.ts'
import { plainKey } from '../../entities/core/saved-by-key.ts'
import { calledItem, plainName } from '../../entities/item-words.ts'
import { componentOf } from '../../entities/registry.ts'
import { authoredFields, checksum, contentOf, fingerprint } from './pairing.ts'

const nonceBytes = 12
const tagBytes = 16
/**
 * Characters of the hash that a checksum keeps, 132 bits: enough to tell any two states of an item apart, and half the space, as
 * every mapping has two.
 */
const checksumLength = 22

/** What people call an item and its parent. */
interface ImageNames {
  name: string | null
  sku: string | null
  parent?: string | null
}

/** A field of staged items only; no platform field has this name. */
const sealedField = 'sealed item'

/**
 * Reduces an item to what may be stored of it: catalogue data as it is; of personal and secret components only keyed
 * hashes, ids and field names (S9).
 */
export class Protection {
  private readonly key: KeyObject
  private readonly imageKey: Buffer
  private readonly view: string
  private readonly checksums = new WeakMap<Draft, string>()
  /** Of the last draft: all levels of stock have the same, because the shop owns all of their fields. */
  private last = { plain: '', keyed: '' }

  /**
   * `key` belongs to one organisation, so hashes of two organisations cannot be compared; `imageKey` (32 bytes) belongs
   * to one run. `view` marks the checksums of a run that sees only one storefront.
   */
  constructor(key: Buffer, imageKey: Buffer, view = '') {
    // Node would make such an object for every hash.
    this.key = createSecretKey(key)
    this.imageKey = imageKey
    this.view = view
  }

  keys(draft: Draft): string[] {
    return this.open(draft.component) ? draft.keys : draft.keys.map((key) => this.hash(key))
  }

  /** The part of a key that stays the same when the platform rewrites it. */
  alike(draft: Draft): string {
    const alike = (componentOf(draft.component).mayRewrite?.alike ?? plainKey)(draft)
    return this.open(draft.component) ? alike : this.hash(alike)
  }

  fingerprint(draft: Draft): string {
    return this.open(draft.component) ? fingerprint(draft) : this.hash(fingerprint(draft))
  }

  /**
   * The content by which an item is recognised as the one we sent (G5).
   *
   * @param fields those of the item that was sent
   */
  content(draft: Draft, fields = authoredFields(draft)): { fields: string[]; digest: string } {
    const content = contentOf(draft, fields)
    return { fields, digest: this.open(draft.component) ? content : this.hash(content) }
  }

  /**
   * A keyed hash for every component: children of a product may be personal (the author of a review). It is made once
   * for a draft, so children must not be added to it afterwards.
   */
  checksum(draft: Draft): string {
    const known = this.checksums.get(draft)
    if (known !== undefined) return known
    const plain = checksum(draft)
    if (plain !== this.last.plain) this.last = { plain, keyed: this.view + this.hash(plain).slice(0, checksumLength) }
    const { keyed } = this.last
    this.checksums.set(draft, keyed)
    return keyed
  }

  /** The fields that two items are compared by. */
  compare(component: string, compare: PlatformItem): PlatformItem {
    if (this.open(component)) return compare
    return Object.fromEntries(
      Object.entries(compare).map(([field, value]) => [field, this.hash(JSON.stringify(value ?? null))]),
    )
  }

  /** The names that an issue may give the item. */
  item(draft: Draft): { name: string | null; sku: string | null; path: string | null } {
    if (!this.open(draft.component)) return { name: plainName(draft), sku: null, path: null }
    return { name: draft.name, sku: draft.sku, path: draft.path }
  }

  /** The item as a sentence of an issue names it: `"Lamp" (source 7)`. */
  called(draft: Draft): string {
    return calledItem({ ...draft, name: this.item(draft).name })
  }

  /** The same for an issue about another item that has the same key. */
  calledInCollision(draft: Draft): string {
    return componentOf(draft.component).collidesByName ? calledItem(draft) : this.called(draft)
  }

  /** What people call an item of catalogue data; null for others. */
  names({ component, name, sku }: Draft): { name: string | null; sku: string | null } | null {
    return this.open(component) ? { name, sku } : null
  }

  /** A destination item as it may be kept: personal and secret ones sealed and without names. */
  image(component: string, destinationId: string, body: PlatformItem, item: ImageNames): BeforeImage {
    if (this.open(component)) {
      const { name, sku, parent = null } = item
      return { destinationId, body, sealed: null, item: { name, sku, parent } }
    }
    const sealed = this.seal(JSON.stringify(body), `${component}/${destinationId}`)
    return { destinationId, body: null, sealed, item: null }
  }

  /** An item of a list that cannot be resumed, kept until the run ends (C3). */
  staged(component: string, id: string, body: PlatformItem): PlatformItem {
    return this.open(component) ? body : { [sealedField]: this.seal(JSON.stringify(body), `${component}/${id}`) }
  }

  /** @throws when it was changed since, or sealed by a run with another key */
  unstaged(component: string, id: string, body: PlatformItem): PlatformItem {
    return this.open(component) ? body : JSON.parse(this.unseal(String(body[sealedField]), `${component}/${id}`))
  }

  /** AES-256-GCM: 12 bytes of nonce, 16 of tag, then the text; bound to its item. */
  private seal(text: string, whose: string): string {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', this.imageKey, nonce).setAAD(Buffer.from(whose))
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  private unseal(text: string, whose: string): string {
    const bytes = Buffer.from(text, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', this.imageKey, bytes.subarray(0, nonceBytes))
    decipher.setAAD(Buffer.from(whose)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
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
