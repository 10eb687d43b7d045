import type { Client } from '@opensearch-project/opensearch'
import type { Indices_Create_RequestBody } from '@opensearch-project/opensearch/api/index.js'
import type { Clock } from '../clock.ts'
import { type OpenSearch, SearchIndexMissing, typeOf } from './opensearch-client.ts'
import { SearchStoreAway } from './search-store.ts'

/** Changing the number causes a new index to be built from PostgreSQL. */
const mappingVersion = 2

/**
 * One index for everything: if it is deleted, the mark of completeness is gone as well.
 */
const definition: Indices_Create_RequestBody = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    // A writer makes its documents searchable when its run is whole.
    refresh_interval: '-1',
    analysis: {
      tokenizer: { trigrams: { type: 'ngram', min_gram: 3, max_gram: 3, token_chars: [] } },
      analyzer: { parts: { type: 'custom', tokenizer: 'trigrams' } },
    },
  },
  mappings: {
    dynamic: 'strict',
    // PostgreSQL has the texts.
    _source: { excludes: ['texts'] },
    properties: {
      kind: { type: 'keyword' },
      organisationId: { type: 'keyword' },
      runId: { type: 'keyword' },
      writing: { type: 'keyword' },
      writings: { type: 'object', enabled: false },
      // Which of the organization's writings it belongs to, in the order in which they began.
      begun: { type: 'long' },
      revision: { type: 'integer', index: false, doc_values: false },
      document: { type: 'keyword', index: false, doc_values: false },
      id: { type: 'keyword' },
      firstMicros: { type: 'long' },
      lastMicros: { type: 'long' },
      code: { type: 'keyword' },
      severity: { type: 'keyword' },
      phase: { type: 'keyword' },
      state: { type: 'keyword' },
      sourceId: { type: 'keyword' },
      destinationId: { type: 'keyword' },
      // A part of a text is a phrase of its trigrams. A phrase never spans two texts.
      texts: { type: 'text', analyzer: 'parts', norms: false },
      body: { type: 'keyword', index: false, doc_values: false },
    },
  },
}

const completeId = 'complete'

export interface SearchIndex {
  /**
   * An alias. Documents are written with `require_alias`, so that OpenSearch never makes an index of its own for them
   * when this one was deleted.
   */
  readonly alias: string
  /** Makes the index if there is none, and deletes those of earlier versions. @throws SearchStoreAway for a later one. */
  ensure(): Promise<void>
  isComplete(): Promise<boolean>
  markComplete(): Promise<void>
  clear(): Promise<void>
  /** Deleted documents stay in the files until these are merged. */
  compact(): Promise<void>
}

export function createSearchIndex(openSearch: OpenSearch, prefix: string, clock: Clock): SearchIndex {
  const alias = `${prefix}-v${mappingVersion}`
  const index = `${alias}-data`

  async function ensure(): Promise<void> {
    await openSearch.write(async (client) => {
      const { own, earlier } = await findIndexes(client, prefix)
      if (earlier.length > 0) await client.indices.delete({ index: earlier, ignore_unavailable: true })
      if (!own) await create(client)
    })
  }

  async function create(client: Client): Promise<void> {
    try {
      await client.indices.create({ index, body: { ...definition, aliases: { [alias]: {} } } })
    } catch (error) {
      // Two processes may make it at the same time.
      if (typeOf(error) !== 'resource_already_exists_exception') throw error
    }
  }

  return {
    alias,
    ensure,
    async isComplete() {
      try {
        const { statusCode } = await openSearch.read((client) => client.exists({ index: alias, id: completeId }))
        return statusCode === 200
      } catch (error) {
        if (error instanceof SearchIndexMissing) return false
        throw error
      }
    },
    async markComplete() {
      await ensure()
      await openSearch.write((client) =>
        client.index({ index: alias, id: completeId, require_alias: true, body: { kind: 'complete' } }),
      )
    },
    async clear() {
      await openSearch.write((client) => client.indices.delete({ index, ignore_unavailable: true }))
      await ensure()
    },
    async compact() {
      await openSearch.write(async (client) => {
        await client.indices.flush({ index: alias, force: true })
        await untilReleased(client, alias, clock)
        await client.indices.forcemerge({ index: alias, max_num_segments: 1 }, { requestTimeout: mergeMs })
        // Searches keep the old files open until then.
        await client.indices.refresh({ index: alias })
        await client.indices.flush({ index: alias, force: true })
      })
    },
  }
}

const mergeMs = 10 * 60_000
/** OpenSearch renews the leases every 30 s. */
const leasesMs = 75_000

/** Deleted documents survive a merge as long as a copy of the index has a lease on them, to catch up from. */
async function untilReleased(client: Client, alias: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonicMs() + leasesMs
  const newest = Math.max(...(await readShards(client, alias)).map(({ newest }) => newest))
  while ((await readShards(client, alias)).some(({ leased }) => leased <= newest)) {
    if (clock.monotonicMs() > deadline) throw new SearchStoreAway('A copy of the search index is behind.')
    await clock.sleep(1_000)
  }
}

/** Of each copy of the index: the number of its newest operation, and of the oldest that a lease keeps. */
async function readShards(client: Client, alias: string): Promise<{ newest: number; leased: number }[]> {
  const { body } = await client.indices.stats({ index: alias, level: 'shards' })
  return Object.values(body.indices ?? {}).flatMap(({ shards }) =>
    Object.values(shards ?? {})
      .flat()
      .map(({ seq_no, retention_leases }) => ({
        newest: seq_no?.max_seq_no ?? 0,
        leased: Math.min(...(retention_leases?.leases ?? []).map((lease) => lease.retaining_seq_no)),
      })),
  )
}

async function findIndexes(client: Client, prefix: string): Promise<{ own: boolean; earlier: string[] }> {
  const { body } = await client.indices.get({ index: `${prefix}-v*`, filter_path: ['*.aliases'] })
  const named = new RegExp(`^${prefix}-v(\\d+)-data$`)
  const versions = Object.keys(body).flatMap((name) => {
    const version = Number(named.exec(name)?.[1])
    return version >= 0 ? [{ name, version }] : []
  })
  if (versions.some(({ version }) => version > mappingVersion))
    throw new SearchStoreAway('The search index belongs to a later version of Storeferry.')
  return {
    own: versions.some(({ version }) => version === mappingVersion),
    earlier: versions.filter(({ version }) => version < mappingVersion).map(({ name }) => name),
  }
}
