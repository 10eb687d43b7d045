import { type ChildProcess, fork } from 'node:child_process'
import type { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../child-environment.ts'
import type { Clock } from '../clock.ts'
import { SearchStoreAway } from './search-store.ts'
import type { FileQueries } from './sqlite-queries.ts'

type QueryName = keyof FileQueries
type Given<Name extends QueryName> = Parameters<FileQueries[Name]> extends [DatabaseSync, ...infer Rest] ? Rest : never
type Found<Name extends QueryName> = ReturnType<FileQueries[Name]>

export interface QueryMessage {
  name: QueryName
  given: unknown[]
}

/** With what `SqliteFile` reads in an error. */
export type QueryAnswer = { found: unknown } | { failed: { message: string; code: unknown; errcode: unknown } }

interface Query {
  message: QueryMessage
  resolve(found: unknown): void
  reject(error: Error): void
}

const mainFile = fileURLToPath(
  new URL(`./sqlite-query-main${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url),
)

/** It has memory, and a file that was deleted stays on the disk while it is open there. */
const mostIdleMs = 60_000

/**
 * A process that searches and counts issues, or empties the log, one after another, while this one does other work. It starts with
 * a query, and ends some time after the last. Not a thread, because Node cannot end one before SQLite's call has
 * returned, nor end itself until then.
 */
export class QueryProcess {
  private readonly path: string
  private readonly clock: Clock
  private readonly mostMs: number
  private child: ChildProcess | undefined
  /** The process has the first. */
  private queue: Query[] = []
  private idle = new AbortController()

  constructor(path: string, { clock, mostMs }: { clock: Clock; mostMs: number }) {
    this.path = path
    this.clock = clock
    this.mostMs = mostMs
  }

  /** @throws SearchStoreAway when the process dies, or there is no answer in time; SQLite's own errors. */
  async ask<Name extends QueryName>(name: Name, ...given: Given<Name>): Promise<Found<Name>> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const query: Query = { message: { name, given }, resolve, reject }
    this.queue.push(query)
    this.idle.abort()
    if (this.queue.length === 1) this.sendFirst()
    const answered = new AbortController()
    this.clock.sleep(this.mostMs, answered.signal).then(
      () => this.giveUp(query),
      () => undefined,
    )
    try {
      // The process answers with what the query of this name returns.
      return (await promise) as Found<Name>
    } finally {
      answered.abort()
    }
  }

  close(): void {
    const left = this.queue
    this.queue = []
    this.idle.abort()
    this.kill()
    for (const { reject } of left) reject(new SearchStoreAway('The search index was closed.'))
  }

  /** The time includes waiting for queries before it, because the one who asks has waited for them too. */
  private giveUp(query: Query): void {
    const at = this.queue.indexOf(query)
    if (at === -1) return
    this.queue.splice(at, 1)
    query.reject(new SearchStoreAway(`The search index gave no answer within ${this.mostMs / 1000} s.`))
    if (at > 0) return
    this.kill()
    this.sendFirst()
  }

  private sendFirst(): void {
    const [first] = this.queue
    if (!first) return
    try {
      this.child ??= this.start()
      // If it has died, its exit is reported as well.
      this.child.send(first.message, () => undefined)
    } catch (cause) {
      this.finishFirst()?.reject(new SearchStoreAway('The search index has no process to search it.', { cause }))
    }
  }

  /** Takes the first from the process, which gets the next. */
  private finishFirst(): Query | undefined {
    const first = this.queue.shift()
    if (this.queue.length === 0) this.endWhenIdle()
    this.sendFirst()
    return first
  }

  private endWhenIdle(): void {
    this.idle = new AbortController()
    this.clock.sleep(mostIdleMs, this.idle.signal).then(
      () => this.kill(),
      () => undefined,
    )
  }

  private start(): ChildProcess {
    const child = fork(mainFile, [this.path], {
      env: childEnvironment,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const died = () => {
      if (child !== this.child) return
      this.child = undefined
      this.finishFirst()?.reject(new SearchStoreAway('The process that searches the index has ended.'))
    }
    child.on('message', (answer: QueryAnswer) => {
      if (child !== this.child) return
      const first = this.finishFirst()
      if ('found' in answer) first?.resolve(answer.found)
      else first?.reject(Object.assign(new Error(answer.failed.message), answer.failed))
    })
    child.once('exit', died)
    child.once('error', died)
    // It does not keep this process running.
    child.unref()
    child.channel?.unref()
    return child
  }

  private kill(): void {
    const { child } = this
    this.child = undefined
    child?.kill('SIGKILL')
  }
}
