import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import { keepDestinationClient } from '../../db/runs/preflights.ts'
import type { Component } from '../../entities/core/component.ts'
import { entities } from '../../entities/registry.ts'
import { clientChangedMessage } from '../../model/preflight-findings.ts'
import type { RunContext } from './context.ts'

/**
 * Which API account the destination's token belongs to (F6). The platform tells it only on what the account has made, so it is
 * learned from webhooks if there are any, else from the first metafield a run creates.
 */
export class DestinationClient {
  private first: string | null = null
  private present: string | null = null

  /** `first` made the copies that stand there; `present` is the account of today's token. Null: nobody knows yet. */
  begin({ first, present }: { first: string | null; present: string | null }): void {
    this.first = first
    this.present = present
  }

  /** Not the account that made the copies: it may not see what that one made. */
  get changed(): boolean {
    return this.first !== null && this.present !== null && this.first !== this.present
  }

  /** Whether items of this component are known by their mappings alone: what is listed says nothing about them. */
  invisibleToToken(component: Component): boolean {
    return component.ofClient === true && this.changed
  }

  /** From the answer to a creation, in the transaction that records it. */
  async learn(
    context: RunContext,
    tx: InTransaction,
    tally: Tally,
    component: Component,
    body: unknown,
  ): Promise<void> {
    const client = component.ofClient ? ownerIn(body) : undefined
    if (client === undefined || client === this.present) return
    const knewOfChange = this.changed
    this.present = client
    this.first ??= client
    await keepDestinationClient(tx, context.pair, context.run.id, client)
    if (!this.changed || knewOfChange) return
    const issue = clientChanged(component.key)
    await saveIssues(tx, context.run, [issue])
    tally.add(issue.component, 'warnings')
  }
}

function ownerIn(body: unknown): string | undefined {
  const { data } = (body ?? {}) as { data?: unknown }
  const [row] = Array.isArray(data) ? data : [data]
  const { owner_client_id } = (row ?? {}) as { owner_client_id?: unknown }
  return typeof owner_client_id === 'string' && owner_client_id !== '' ? owner_client_id : undefined
}

function clientChanged(component: string): IssueToWrite {
  const phase = entities.find(({ components }) => components.some(({ key }) => key === component))?.key ?? ''
  const item = { name: null, sku: null, path: null }
  const message = clientChangedMessage
  return { phase, component, severity: 'warning', code: 'client_changed', message, sourceId: 'destination', item }
}
