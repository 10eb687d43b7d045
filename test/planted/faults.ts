// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of code, in which it is a template's.
/** A fault that can be planted in the code; the tests have to notice each of them. */
export interface PlantedFault {
  name: string
  /** From the root of the project. */
  file: string
  /** Occurs once in the file. */
  find: string
  /** What takes its place. It still compiles and runs. */
  replace: string
  /** What goes wrong for a user or an operator. */
  breaks: string
  /** Files of the default suite, at least one of whose tests is red with the fault. */
  noticedBy: readonly string[]
}

const engine: PlantedFault[] = [
  {
    name: 'a retry of one issue tries all of them',
    file: 'src/engine/heal/healer.ts',
    find: 'context.run.heal.chosen ? context.run.heal.round : null',
    replace: 'context.run.heal.chosen ? null : null',
    breaks: 'A person who retries one item writes others, too.',
    noticedBy: ['test/engine/retry-some.test.ts'],
  },
  {
    name: 'item pairs keep the names of people',
    file: 'src/engine/core/protection.ts',
    find: 'return this.open(component) ? { name, sku } : null',
    replace: 'return { name, sku }',
    breaks: 'The database and the portal hold names and addresses of shoppers.',
    noticedBy: ['test/engine/erased-shopper.test.ts'],
  },
  {
    name: 'an updated item counts as matched',
    file: 'src/engine/write/update-root.ts',
    find: "sourceId: root.id, state: 'updated' })",
    replace: "sourceId: root.id, state: 'matched' })",
    breaks: 'A run that overwrites items reports that it found them equal.',
    noticedBy: ['test/engine/update.test.ts'],
  },
  {
    name: 'a healed item still counts as failed',
    file: 'src/db/ledger/ledger.ts',
    find: "tally.add(component, 'failed', -1)",
    replace: "tally.add(component, 'failed', 0)",
    breaks: 'A run lists failures that were healed, and its counters exceed the items it discovered.',
    noticedBy: ['test/engine/healing.test.ts'],
  },
  {
    name: 'a cancelled run counts skipped items as cancelled',
    file: 'src/db/ledger/ledger.ts',
    find: 'created + updated + matched + skipped + failed + cancelled',
    replace: 'created + updated + matched + failed + cancelled',
    breaks: 'The counters of a cancelled run exceed the items it discovered.',
    noticedBy: ['test/api/migrations.test.ts'],
  },
  {
    name: 'a run with open failures is completed',
    file: 'src/engine/run/drive-run.ts',
    find: "failures > 0 ? 'partial_completed' : 'completed'",
    replace: "failures < 0 ? 'partial_completed' : 'completed'",
    breaks: 'A run that could not copy everything says that it is complete, and cannot be healed.',
    noticedBy: ['test/engine/healing.test.ts'],
  },
  {
    name: 'a write goes out without a look at the lease',
    file: 'src/engine/send/send.ts',
    find: '    await context.lease.confirm()\n',
    replace: '',
    breaks: 'A host that was frozen and replaced wakes up and writes to the store beside its successor.',
    noticedBy: ['test/kills/windows.test.ts'],
  },
  {
    name: 'a replaced process goes on recording',
    file: 'src/db/ledger/leases.ts',
    find: 'if (rows.length === 0) throw new LeaseLost(runId)',
    replace: 'if (rows.length === 0) return',
    breaks: 'Two processes record results of one run, so that items are counted and mapped twice.',
    noticedBy: ['test/db/leases.test.ts'],
  },
  {
    name: 'the intent is written after the call',
    file: 'src/engine/send/send.ts',
    find: `    intentId ??= await intend(context, write)
    await context.lease.confirm()
    sentAtMs = context.clock.monotonicMs()
  }
  try {
    const { httpStatus, body } = await context.destination.write({ ...request, signal: context.lease.stop, beforeSend })`,
    replace: `    await context.lease.confirm()
    sentAtMs = context.clock.monotonicMs()
  }
  try {
    const written = context.destination.write({ ...request, signal: context.lease.stop, beforeSend })
    const { httpStatus, body } = await written.finally(async () => {
      intentId = await intend(context, write)
    })`,
    breaks: 'A process that dies during a call leaves no trace of it, and its item is created twice.',
    noticedBy: ['test/engine/unconfirmed-writes.test.ts'],
  },
  {
    name: 'the baseline is ignored when an unanswered call is settled',
    file: 'src/engine/send/unconfirmed.ts',
    find: 'const before = new Set(baseline ?? [])',
    replace: 'const before = new Set(baseline?.slice(0, 0))',
    breaks: 'An image that was there before is taken for the one that an unanswered call made, which is then missing.',
    noticedBy: ['test/engine/unconfirmed-writes.test.ts'],
  },
  {
    name: 'the copy that a left call made is forgotten',
    file: 'src/engine/send/unconfirmed.ts',
    find: 'await saveCreations(context, tx, component, ours)',
    replace: 'await saveCreations(context, tx, component, ours.slice(1))',
    breaks:
      'What a dead process had created is not known as a copy, so the next run skips it unfinished or makes it twice.',
    noticedBy: ['test/engine/processes.test.ts'],
  },
  {
    name: 'a checkpoint is ahead of what was planned',
    file: 'src/engine/pass/run-pass.ts',
    find: 'position: page.position, pages: number, finished: false })',
    replace: 'position: page.position, pages: number, finished: true })',
    breaks: 'A run that is paused or killed leaves out every page of the source that it had not come to.',
    noticedBy: ['test/engine/completeness.test.ts'],
  },
  {
    name: 'a list that ends early is believed',
    file: 'src/engine/read/source-reader.ts',
    find: 'if (given >= counted) return',
    replace: 'if (given >= counted || reads >= 0) return',
    breaks: 'Items that the platform left out of a list are not copied, and nothing reports it.',
    noticedBy: ['test/engine/completeness.test.ts'],
  },
  {
    name: 'an incomplete item counts as up to date',
    file: 'src/engine/write/finish-item.ts',
    find: 'draftChecksum: isComplete ? context.protection.checksum(root) : null,',
    replace: 'draftChecksum: context.protection.checksum(root),',
    breaks: 'Later runs report an item as equal although its brand or its categories are missing.',
    noticedBy: ['test/engine/update.test.ts'],
  },
  {
    name: 'destination-owned values are overwritten',
    file: 'src/engine/context/destination-owned.ts',
    find: '? [] : componentOf(component).destinationOwned',
    replace: '? [] : componentOf(component).destinationOwned.slice(1)',
    breaks: 'An update puts stock that shoppers have bought back on sale.',
    noticedBy: ['test/engine/update.test.ts'],
  },
  {
    name: 'the limit of a replace is off by one',
    file: 'src/engine/prune/prune-plan.ts',
    find: 'items > limits.pruneLimitItems ||',
    replace: 'items > limits.pruneLimitItems + 1 ||',
    breaks: 'A replace deletes one item more than its limit allows without asking.',
    noticedBy: ['src/engine/prune/prune-plan.test.ts'],
  },
  {
    name: 'a replace plans to delete copies',
    file: 'src/engine/prune/find-items.ts',
    find: 'sourceId === null || !existing.has(sourceId)',
    replace: 'sourceId === null || existing.size >= 0',
    breaks:
      'Of an item that exists in the source, but in no list of it, the copy is announced as deleted and counts for the limits of a replace.',
    noticedBy: ['test/engine/deletions.test.ts'],
  },
  {
    name: 'a replace deletes copies',
    file: 'src/engine/read/by-ids.ts',
    find: 'return new Set(rows.map((item) => String(item[pass.source.idField])))',
    replace: 'return new Set(rows.slice(rows.length).map((item) => String(item[pass.source.idField])))',
    breaks: 'A replace deletes the copy of an item that exists in the source, because a list did not show it.',
    noticedBy: ['test/engine/deletions.test.ts'],
  },
  {
    name: 'nothing is kept of what an update overwrites',
    file: 'src/engine/send/repeat.ts',
    find: 'const before = target.before ? [target.before] : []',
    replace: 'const before = target.before ? [] : []',
    breaks: 'After an update or a replace there is no record of what the store had before.',
    noticedBy: ['test/engine/update.test.ts'],
  },
  {
    name: 'a pause is ignored while a run works',
    file: 'src/engine/core/run-lease.ts',
    find: "if (asked !== 'none') this.requestStop(asked)",
    replace: "if (asked === 'cancel') this.requestStop(asked)",
    breaks: 'A merchant who pauses a run sees it go on writing to the shop.',
    noticedBy: ['test/engine/run-controls.test.ts'],
  },
  {
    name: 'mails are not switched on again',
    file: 'src/engine/side-effects/mail-settings.ts',
    find: 'if (!same(current, desired)) await setting.write(store, desired, beforeSend)',
    replace: 'if (same(current, desired)) await setting.write(store, desired, beforeSend)',
    breaks: 'After orders were copied, shoppers of the destination get no mails about their orders any more.',
    noticedBy: ['test/engine/order-mails.test.ts'],
  },
  {
    name: 'copied orders keep the stock they took',
    file: 'src/engine/child/side-effects.ts',
    find: '    await untilShown(deps, pair, await giveBackStock(deps, { shown, keepsWatch: true }), waiting)\n',
    replace: '',
    breaks: 'Products of the destination look sold out because of orders that were only copied.',
    noticedBy: ['test/engine/order-stock.test.ts'],
  },
  {
    name: 'a dry run leaves its plan among the mappings',
    file: 'src/engine/child/attempt.ts',
    find: 'writesNothing ? { ...start.pair, simulatedBy: run.id } : start.pair',
    replace: 'start.pair',
    breaks: 'The run after a dry run believes that items were copied and deleted, and warns of it for each of them.',
    noticedBy: ['test/engine/dry-run.test.ts'],
  },
  {
    name: 'verify overlooks a field that differs',
    file: 'src/engine/verify/comparison.ts',
    find: 'return verdict(described, desired, counterpart.destinationId, fields)',
    replace: 'return verdict(described, desired, counterpart.destinationId, fields.slice(1))',
    breaks: 'A verify calls two stores equal although a field of a brand or a coupon differs.',
    noticedBy: ['test/engine/copying.test.ts'],
  },
  {
    name: 'healing leaves out what it is to try',
    file: 'src/engine/heal/healer.ts',
    find: 'const others = failed.filter(({ issueId }) => !tried.has(issueId))',
    replace: 'const others = failed.filter(({ issueId }) => tried.has(issueId))',
    breaks: 'Healing retries what nothing can be done about and leaves alone what it was asked to retry.',
    noticedBy: ['test/engine/healing.test.ts'],
  },
  {
    name: 'email addresses of shoppers are stored in clear',
    file: 'src/engine/core/protection.ts',
    find: 'return this.open(draft.component) ? draft.keys : draft.keys.map((key) => this.hash(key))',
    replace: 'return draft.keys',
    breaks: 'Anyone who reads the database of the service can read the email addresses of its customers’ shoppers.',
    noticedBy: ['test/engine/subscribers.test.ts'],
  },
]

const database: PlantedFault[] = [
  {
    name: 'a migration is found whatever organisation it belongs to',
    file: 'src/db/runs/runs.ts',
    find: 'where run.organisation_id = ${organisationId} and run.id = ${id}`.execute(database)',
    replace: 'where ${organisationId}::uuid is not null and run.id = ${id}`.execute(database)',
    breaks: 'Anyone who knows the id of a migration can read it, whatever organisation it belongs to.',
    noticedBy: ['test/security/tenant-scope.test.ts'],
  },
  {
    name: 'a search for issues reaches all organisations',
    file: 'src/db/reports/run-findings.ts',
    find: 'select ${issueColumns} from issues\n    where organisation_id = ${organisationId} and ${fits(',
    replace: 'select ${issueColumns} from issues\n    where ${organisationId}::uuid is not null and ${fits(',
    breaks: 'An assistant finds the names and SKUs of products of other organisations.',
    noticedBy: ['test/mcp/tools.test.ts'],
  },
  {
    name: 'an overview counts the migrations of everybody',
    file: 'src/db/reports/run-summaries.ts',
    find: 'where runs.organisation_id = ${organisationId}\n        and (',
    replace: 'where ${organisationId}::uuid is not null\n        and (',
    breaks: 'The overview of an organisation counts migrations and failures of others.',
    noticedBy: ['test/mcp/tools.test.ts'],
  },
  {
    name: 'a member is removed from every organisation',
    file: 'src/db/accounts/members.ts',
    find: 'where organisation_id = ${organisationId} and user_id = ${userId}`',
    replace: 'where ${organisationId}::uuid is not null and user_id = ${userId}`',
    breaks: 'A member who is removed from one organisation loses access to all others as well.',
    noticedBy: ['test/api/members.test.ts'],
  },
  {
    name: 'a removed member comes back with all they held',
    file: 'src/db/accounts/members.ts',
    find: 'update users set generation = generation + 1',
    replace: 'update users set generation = generation + 0',
    breaks: 'A member who was removed and added again still has the sessions, tokens and assistants from before.',
    noticedBy: ['test/security/what-ends-what.test.ts', 'test/api/members.test.ts', 'test/security/revocation.test.ts'],
  },
  {
    name: 'an owner resets the password of a member of another organisation',
    file: 'src/operations/shared/changing-members.ts',
    find: 'if (member.onlyHere) return member',
    replace: 'if (member) return member',
    breaks: 'The owner of one organisation takes over an account that opens another one.',
    noticedBy: ['test/api/reset-links.test.ts'],
  },
  {
    name: 'an invitation opens the account of a person who has one',
    file: 'src/operations/members/join-organisation.ts',
    find: 'if (!account || account.mayChoosePassword)',
    replace: 'if (!account || account)',
    breaks: 'An owner who invites a member of another organisation takes over that account with the link.',
    noticedBy: ['test/api/invitations.test.ts'],
  },
  {
    name: 'a credential is not locked while it is rotated',
    file: 'src/db/accounts/api-credentials.ts',
    find: 'where organisation_id = ${organisationId} for update`',
    replace: 'where organisation_id = ${organisationId}`',
    breaks: 'Of two administrators who rotate at the same moment, one is given a secret that never works.',
    noticedBy: ['test/security/credentials.test.ts'],
  },
  {
    name: 'two controls of a migration pass each other',
    file: 'src/db/runs/runs.ts',
    find: 'and run.id = ${id} for update of run`',
    replace: 'and run.id = ${id}`',
    breaks: 'A migration that is cancelled and resumed at the same moment is both ended and queued.',
    noticedBy: ['test/api/migrations.test.ts'],
  },
  {
    name: 'paused migrations outlive the organisation’s access',
    file: 'src/db/runs/run-controls.ts',
    find: "status in ('queued', 'in_progress', 'paused')",
    replace: "status in ('queued', 'in_progress')",
    breaks: 'A paused migration of an organisation that lost its access is not cancelled and holds its store for ever.',
    noticedBy: ['test/api/administration.test.ts'],
  },
]

const api: PlantedFault[] = [
  {
    name: 'the role of a member is not checked',
    file: 'src/operations/shared/perform.ts',
    find: "if ('role' in by) return mayCall(by.role, name) && isOpenTo(by, name)",
    replace: "if ('role' in by) return isOpenTo(by, name)",
    breaks: 'A viewer reads credentials and members, which are for owners only.',
    noticedBy: ['test/security/permissions.test.ts'],
  },
  {
    name: 'a store may be copied onto itself',
    file: 'src/contract/create-migration.ts',
    find: '.extend({ idempotencyKey })\n  .refine(storesDiffer, sameStoreTwice)',
    replace: '.extend({ idempotencyKey })',
    breaks: 'A migration whose source is its destination is accepted and reads what it writes.',
    noticedBy: ['test/api/migrations.test.ts'],
  },
  {
    name: 'a cursor is off by one',
    file: 'src/operations/shared/list-cursor.ts',
    find: 'rows.length > limit ? shown.at(-1) : undefined',
    replace: 'rows.length > limit ? rows.at(-1) : undefined',
    breaks: 'Lists leave out one entry between each page and the next.',
    noticedBy: ['test/api/members.test.ts'],
  },
  {
    name: 'a wrong value is answered as a malformed request',
    file: 'src/contract/service-error.ts',
    find: 'validation_failed: 422',
    replace: 'validation_failed: 400',
    breaks: 'Clients that go by the HTTP status confuse invalid values with unreadable requests.',
    noticedBy: ['test/api/accounts-server.test.ts'],
  },
  {
    name: 'requests are not limited',
    file: 'src/api/request-rate.ts',
    find: 'if (count > this.#perMinute) this.#refuse(nowMs)',
    replace: 'if (count > this.#perMinute * 1000) this.#refuse(nowMs)',
    breaks: 'A client in a loop takes the service away from everybody else.',
    noticedBy: ['test/api/accounts-server.test.ts'],
  },
]

const accounts: PlantedFault[] = [
  {
    name: 'PKCE is not required',
    file: 'src/oauth/configuration.ts',
    find: 'pkce: { required: () => true }',
    replace: 'pkce: { required: () => false }',
    breaks: 'Anyone who intercepts an authorization code can exchange it for a token.',
    noticedBy: ['test/oauth/authorisation.test.ts'],
  },
  {
    name: 'redirect URIs are compared by their beginning',
    file: 'src/oauth/authorisation-server.ts',
    find: '  provider.proxy = true\n',
    replace: `  provider.proxy = true
  provider.Client.prototype.redirectUriAllowed = function (uri: string) {
    return (this.redirectUris ?? []).some((known) => uri.startsWith(known))
  }
`,
    breaks: 'A code is sent to another address than the one that the client registered.',
    noticedBy: ['test/oauth/authorisation.test.ts'],
  },
  {
    name: 'reuse of a refresh token is not detected',
    file: 'src/oauth/adapter.ts',
    find: 'const consumed = consumedAt === null ? {}',
    replace: 'const consumed = consumedAt === null || consumedAt.getTime() > 0 ? {}',
    breaks: 'A stolen refresh token is not noticed when its owner and the thief both use it.',
    noticedBy: ['test/oauth/authorisation.test.ts'],
  },
  {
    name: 'a token for another service opens the tools',
    file: 'src/accounts/access-tokens.ts',
    find: 'payload.aud !== siteUrl ||',
    replace: '(payload.aud ?? siteUrl) === undefined ||',
    breaks: 'A token that was issued for another service reads the migrations of its user.',
    noticedBy: ['test/mcp/endpoint.test.ts'],
  },
  {
    name: 'bearer tokens outlive the secret they were made with',
    file: 'src/db/accounts/api-credentials.ts',
    find: 'c.enabled and c.version = ${claims.secretVersion}',
    replace: 'c.enabled and c.version >= ${claims.secretVersion}',
    breaks: 'After a leaked credential was rotated, tokens that were made with it still work.',
    noticedBy: ['test/security/bearer-tokens.test.ts'],
  },
  {
    name: 'sign-ins at the same moment outrun the limit',
    file: 'src/accounts/login-limits.ts',
    find: '    refuseTooManyAtOnce(counts, attempt)\n',
    replace: '',
    breaks: 'Someone who guesses passwords tries thousands of them at the same moment.',
    noticedBy: ['test/security/counted-tries.test.ts'],
  },
  {
    name: 'the process of a run leaves dumps',
    file: 'src/engine/process/spawn-run.ts',
    find: 'ulimit -c 0; ',
    replace: '',
    breaks: 'A run that crashes leaves a file with the tokens of both stores.',
    noticedBy: ['test/security/no-dumps.test.ts'],
  },
  {
    name: 'the service leaves dumps',
    file: 'bin/storeferry.cjs',
    find: 'if (mayBeDumped()) runWithoutDumps()',
    replace: 'mayBeDumped()',
    breaks: 'A server that crashes leaves a file with the master key and the tokens of its callers.',
    noticedBy: ['test/security/no-dumps.test.ts'],
  },
  {
    name: 'a session does not end at sign-out',
    file: 'src/operations/sessions/sign-out.ts',
    find: 'await deleteSession(transaction, sessionHash)',
    replace: 'await deleteSession(transaction, sessionHash.subarray(1))',
    breaks: 'A copied cookie still works after its owner has signed out.',
    noticedBy: ['test/security/sessions.test.ts'],
  },
  {
    name: 'a request without an origin may change things',
    file: 'src/accounts/same-origin.ts',
    find: 'headers.origin === new URL(siteUrl).origin',
    replace: '[undefined, new URL(siteUrl).origin].includes(headers.origin)',
    breaks: 'A form on another site makes changes with the cookie of its visitor.',
    noticedBy: ['test/security/sessions.test.ts'],
  },
]

const stores: PlantedFault[] = [
  {
    name: 'a source may be written to',
    file: 'src/bigcommerce/client.ts',
    find: 'if (this.#connection.readOnly && !readsOnly) throw',
    replace: "if (this.#connection.readOnly && !readsOnly && method === 'DELETE') throw",
    breaks: 'A slip elsewhere in the code changes the store that was only to be read.',
    noticedBy: ['src/bigcommerce/client.test.ts'],
  },
  {
    name: 'Retry-After is taken for milliseconds',
    file: 'src/bigcommerce/quota-headers.ts',
    find: 'return seconds === null ? null : Math.min(seconds * 1000, longestMs)',
    replace: 'return seconds',
    breaks: 'A store that asks for a pause is asked again at once, and slows down everybody who uses it.',
    noticedBy: ['src/bigcommerce/quota-headers.test.ts'],
  },
  {
    name: 'the rest of a list is dropped after a short page',
    file: 'src/bigcommerce/pages.ts',
    find: 'if (items.length === 0 || (isShort(items, pagination, limit) && read >= (total ?? 0))) return',
    replace: 'if (items.length === 0 || isShort(items, pagination, limit)) return',
    breaks: 'Everything behind a page that the platform cut short is not copied.',
    noticedBy: ['src/bigcommerce/pages.test.ts'],
  },
  {
    name: 'an empty list of version 2 is an error',
    file: 'src/bigcommerce/pages.ts',
    find: 'if (body === undefined && httpStatus === 204) return []',
    replace: 'if (body === undefined && httpStatus === 205) return []',
    breaks: 'A store without coupons or orders cannot be copied at all.',
    noticedBy: ['src/bigcommerce/pages.test.ts'],
  },
  {
    name: 'a call may take for ever',
    file: 'src/bigcommerce/exchange.ts',
    find: 'clock.sleep(request.timeoutMs, timer.signal)',
    replace: 'clock.sleep(request.timeoutMs * 1000, timer.signal)',
    breaks: 'A store that stops answering stops the run without a word.',
    noticedBy: ['src/bigcommerce/client.test.ts'],
  },
  {
    name: 'nothing of the quota is left to other apps',
    file: 'src/bigcommerce/quota-window.ts',
    find: 'return Math.ceil((this.#latest?.quota ?? 0) * this.#reserve)',
    replace: 'return Math.ceil((this.#latest?.quota ?? 0) * this.#reserve * 0)',
    breaks: 'While a run works, the merchant’s other apps are refused by the platform.',
    noticedBy: ['src/bigcommerce/governor.test.ts'],
  },
]

const entities: PlantedFault[] = [
  {
    name: 'brands lose their page titles',
    file: 'src/entities/catalog/brands.ts',
    find: 'const { id, image_url, ...unlinked } =',
    replace: 'const { id, image_url, page_title: _title, ...unlinked } =',
    breaks: 'Copied brands have no page title, and a verify does not see it.',
    noticedBy: ['test/entities/entity-suite.test.ts'],
  },
  {
    name: 'coupons lose the countries they are for',
    file: 'src/entities/pricing/coupons.ts',
    find: 'restricted_to: Array.isArray(restricted_to) ? {} : restricted_to',
    replace: 'restricted_to: restricted_to === undefined ? undefined : {}',
    breaks: 'A coupon for shoppers of one country is good for everybody.',
    noticedBy: ['test/entities/entity-suite.test.ts'],
  },
  {
    name: 'customers lose their group',
    file: 'src/entities/customers/customers.ts',
    find: '...(group !== undefined && { customer_group_id: group })',
    replace: '...(group !== undefined && { customer_group_id: 0 })',
    breaks: 'Wholesale customers see retail prices.',
    noticedBy: ['test/engine/customers.test.ts'],
  },
  {
    name: 'categories are known by their names only',
    file: 'src/entities/catalog/categories.ts',
    find: '/parent:${parent}/name:',
    replace: '/parent:0/name:',
    breaks: 'Two categories of one name below different parents are taken for one.',
    noticedBy: ['src/entities/catalog/categories.test.ts'],
  },
  {
    name: 'copied orders are dated today',
    file: 'src/entities/orders/orders.ts',
    find: '    date_created: order.date_created,\n',
    replace: '',
    breaks: 'The sales of years appear as sales of the day of the migration.',
    noticedBy: ['test/engine/orders.test.ts'],
  },
  {
    name: 'price lists lose their sale prices',
    file: 'src/entities/pricing/price-records.ts',
    find: 'sale_price: price.sale_price ?? null,',
    replace: 'sale_price: null,',
    breaks: 'Groups with prices of their own pay the full price during a sale, and a verify does not see it.',
    noticedBy: ['test/entities/entity-suite.test.ts'],
  },
]

const tools: PlantedFault[] = [
  {
    name: 'names of products lose their untrusted_ prefix',
    file: 'src/mcp/tools/catalog.ts',
    find: `const itemShape = z.strictObject({ id: text, untrusted_name: maybe, untrusted_sku: maybe, untrusted_path: maybe })

function describeItem({ id, name, sku, path }: Record<'name' | 'sku' | 'path', string | null> & { id: string }) {
  return { id, untrusted_name: name,`,
    replace: `const itemShape = z.strictObject({ id: text, name: maybe, untrusted_sku: maybe, untrusted_path: maybe })

function describeItem({ id, name, sku, path }: Record<'name' | 'sku' | 'path', string | null> & { id: string }) {
  return { id, name,`,
    breaks: 'An assistant takes the words in a product name for words of the service.',
    noticedBy: ['test/mcp/tools.test.ts'],
  },
  {
    name: 'tools read with the role of an owner',
    file: 'src/mcp/call-tool.ts',
    find: 'perform(operation, input, caller, deps)',
    replace: "perform(operation, input, { ...caller, role: 'owner' }, deps)",
    breaks: 'The assistant of a viewer reads what only owners may see.',
    noticedBy: ['test/mcp/tools.test.ts'],
  },
  {
    name: 'codes of gift certificates are shown',
    file: 'src/operations/shared/catalog-item.ts',
    find: 'return isOpen(component) ? { id, name, sku, path } : { id, name: null, sku: null, path: null }',
    replace:
      "return isOpen(component) || component === 'gift-certificates' ? { id, name, sku, path } : { id, name: null, sku: null, path: null }",
    breaks: 'An assistant is given the codes of gift certificates, which are money.',
    noticedBy: ['test/mcp/tools.test.ts'],
  },
]

const security: PlantedFault[] = [
  {
    name: 'a host with one public address may have private ones',
    file: 'src/outbound.ts',
    find: 'if (!addresses.every(isPublic)) throw',
    replace: 'if (!addresses.some(isPublic)) throw',
    breaks: 'A host name that also points into the private network is asked, and its answer is read.',
    noticedBy: ['test/security/outbound.test.ts'],
  },
  {
    name: 'an encrypted value opens in another row',
    file: 'src/accounts/encryption.ts',
    find: 'JSON.stringify([table, column, row, organisation])',
    replace: 'JSON.stringify([table, column, typeof row, organisation])',
    breaks: 'Anyone who can write to the database can give a store the token of another one.',
    noticedBy: ['src/accounts/encryption.test.ts'],
  },
]

const commandLine: PlantedFault[] = [
  {
    name: 'a command that left failures open ends with 0',
    file: 'cli/shared/exit-codes.ts',
    find: "return status === 'partial_completed' ? exitCodes.open : exitCodes.failed",
    replace: "return status === 'partial_completed' ? exitCodes.done : exitCodes.failed",
    breaks: 'A script goes on although the migration could not copy everything.',
    noticedBy: ['cli/shared/exit-codes.test.ts'],
  },
]

const sandbox: PlantedFault[] = [
  {
    name: 'the sandbox accepts two brands of one name',
    file: 'sandbox/resources/catalog/brands.ts',
    find: 'holder.id !== ownId && namesAreEqual',
    replace: 'holder.id === ownId && namesAreEqual',
    breaks: 'A copy that makes brands twice is not noticed against the sandbox.',
    noticedBy: ['test/sandbox/core.test.ts'],
  },
  {
    name: 'the sandbox lets read-only tokens write',
    file: 'sandbox/server/scopes.ts',
    find: "return route.method === 'GET' && !route.modifyOnly",
    replace: 'return !route.modifyOnly',
    breaks: 'A run whose token may not write is not noticed against the sandbox.',
    noticedBy: ['test/sandbox/facts/scopes.test.ts'],
  },
]

/** Planted one at a time by `npm run test:planted`. */
export const plantedFaults: readonly PlantedFault[] = [
  ...engine,
  ...database,
  ...api,
  ...accounts,
  ...stores,
  ...entities,
  ...tools,
  ...security,
  ...commandLine,
  ...sandbox,
]
