import type { InTransaction } from '../../db/core/database.ts'
import type { Tally } from '../../db/ledger/counters.ts'
import { type IssueToWrite, saveIssues } from '../../db/ledger/issues.ts'
import type { StorePair } from '../../db/ledger/store-pair.ts'
import { keepDestinationClient } from '../../db/runs/preflights.ts'
import type { Component } from '../../entities/core/component.ts'
import { entityOf } from '../../entities/registry.ts'
import { clientChangedMessage } from '../../model/preflight-findings.ts'

/** API accounts at the destination; null: not known yet. */
export interface ClientAccounts {
  /** The account that made the first copies. */
  readonly first: string | null
  /** The account of the present token. */
  readonly present: string | null
}

/** Whether the token belongs to another account than the first copies; it may not see what that account made. */
export function accountChanged({ first, present }: ClientAccounts): boolean {
  return first !== null && present !== null && first !== present
}

/**
 * Which API account the destination's token belongs to (F6). The platform shows the account only on objects that it
 * created, so it is learned from webhooks if there are any, otherwise from the first metafield that a run creates.
 */
export class DestinationClient {
  private accounts: ClientAccounts

  constructor(accounts: ClientAccounts) {
    this.accounts = accounts
  }

  /** Whether lists do not show the token what the first account made, so that only mappings know those copies. */
  invisibleToToken(component: Component): boolean {
    return component.ofClient === true && accountChanged(this.accounts)
  }

  /** Learns the account from the response to a creation, in the transaction that records it. */
  async learn(
    { pair, run }: { pair: StorePair; run: { id: string; organisationId: string } },
    tx: InTransaction,
    tally: Tally,
    component: Component,
    body: unknown,
  ): Promise<void> {
    const present = component.ofClient ? ownerIn(body) : undefined
    if (present === undefined || present === this.accounts.present) return
    const knewOfChange = accountChanged(this.accounts)
    this.accounts = { first: this.accounts.first ?? present, present }
    await keepDestinationClient(tx, pair, run.id, present)
    if (!accountChanged(this.accounts) || knewOfChange) return
    const issue = clientChanged(component.key)
    await saveIssues(tx, run, [issue])
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
  const phase = entityOf(component)?.key ?? ''
  const item = { name: null, sku: null, path: null }
  const message = clientChangedMessage
  return { phase, component, severity: 'warning', code: 'client_changed', message, sourceId: 'destination', item }
}
