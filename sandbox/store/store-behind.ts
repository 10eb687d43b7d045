import type { Filter, PageOptions, Row, SandboxStore, Table, Where } from './store.ts'

/** The next ids of all tables, valid until this moment in monotonic time. */
interface Until {
  atMs: number
  nextIds: ReadonlyMap<string, number>
}

/** The next ids before each recent write. Kept in memory: a restart takes longer than lists lag behind. */
const history = new WeakMap<SandboxStore, Until[]>()

/** The longest time that lists lag behind (switch `lists_behind_ms`). */
function mostBehindMs(store: SandboxStore): number {
  return Number(store.switches.lists_behind_ms ?? 0)
}

/** Call before any call that may add rows. */
export function rememberRows(store: SandboxStore & { tableNames(): string[] }): void {
  const most = mostBehindMs(store)
  if (most === 0) return
  const now = performance.now()
  const recent = (history.get(store) ?? []).filter(({ atMs }) => atMs > now - most)
  const nextIds = new Map(store.tableNames().map((name) => [name, store.table(name).nextId()]))
  history.set(store, [...recent, { atMs: now, nextIds }])
}

/**
 * The store as seen by a list that lags behind by a share of the longest time: without the rows added since. Changes to
 * other rows are visible at once.
 */
export function storeBehind(store: SandboxStore, part: number): SandboxStore {
  const seenAtMs = performance.now() - part * mostBehindMs(store)
  const until = history.get(store)?.find(({ atMs }) => atMs > seenAtMs)
  if (!until) return store
  const { name, hash, imageBase, switches } = store
  return {
    name,
    hash,
    imageBase,
    switches,
    table: (of, indexes) => tableBehind(store.table(of, indexes), (until.nextIds.get(of) ?? 1) - 1),
    load: (of, rows) => store.load(of, rows),
    ask: (sql) => store.ask(sql),
    // Not cached, because other lists lag by other times.
    untilChanged: (_name, find) => find(),
    transaction: (change) => store.transaction(change),
  }
}

function tableBehind(table: Table, lastId: number): Table {
  const bounded = <Options extends Filter>(options: Options) => ({
    ...options,
    maxId: Math.min(options.maxId ?? Infinity, lastId),
  })
  return {
    insert: (row) => table.insert(row),
    get: (id) => table.get(id),
    update: (id, fields) => table.update(id, fields),
    delete: (id) => table.delete(id),
    find: (where: Where): Row[] => table.find(where).filter(({ id }) => id <= lastId),
    page: (options: PageOptions) => table.page(bounded(options)),
    count: (where = {}) => table.page(bounded({ where, offset: 0, limit: 1 })).total,
    sums: (field, per, where) => table.sums(field, per, where),
    scan: (filter = {}, descending = false) => table.scan(bounded(filter), descending),
    nextId: () => table.nextId(),
  }
}
