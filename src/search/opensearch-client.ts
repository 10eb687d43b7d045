import { Client, errors } from '@opensearch-project/opensearch'
import type { Clock } from '../clock.ts'
import { SearchStoreAway } from './search-store.ts'

export interface OpenSearchAddress {
  /** With the user and password, if the server wants them. */
  url: string
  /** What the names of its indexes begin with. */
  prefix: string
}

/** The part of the index that Storeferry needs is not there: it was deleted, or was never made. */
export class SearchIndexMissing extends SearchStoreAway {
  override name = 'SearchIndexMissing'
}

/** Another writer changed the document in the meantime. */
export class DocumentChanged extends Error {
  override name = 'DocumentChanged'
}

export interface OpenSearch {
  /** @throws SearchStoreAway */
  read<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  /** @throws SearchStoreAway, DocumentChanged; anything else for a document that cannot be stored. */
  write<Result>(work: (client: Client) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

/** A reader gets its answer from PostgreSQL when the index is slower than this. */
const readMs = 2_000
const writeMs = 60_000
/** After a reader got no answer, others do not wait for one for this long. */
const restMs = 1_000

export function openSearchClient(url: string, clock: Clock): OpenSearch {
  const client = new Client({ node: url, maxRetries: 0, requestTimeout: writeMs })
  const reading = client.child({ requestTimeout: readMs })
  let restUntil = Number.NEGATIVE_INFINITY
  return {
    async read(work) {
      if (clock.monotonicMs() < restUntil) throw new SearchStoreAway('OpenSearch did not answer a moment ago.')
      try {
        return await work(reading)
      } catch (error) {
        if (!(error instanceof errors.ResponseError)) restUntil = clock.monotonicMs() + restMs
        throw explained(error)
      }
    },
    async write(work) {
      try {
        return await work(client)
      } catch (error) {
        throw explained(error)
      }
    },
    close: () => client.close(),
  }
}

/** Without the client's own error, which has the request and its credentials. */
function explained(error: unknown): unknown {
  if (error instanceof errors.ResponseError) return ofAnswer(error.statusCode ?? 0, typeOf(error), '')
  if (error instanceof errors.OpenSearchClientError)
    return new SearchStoreAway(`OpenSearch does not answer: ${error.name}.`)
  return error
}

/**
 * The error of a request, or of one operation of a bulk, which answers 200 as a whole.
 *
 * @param reason OpenSearch's; it may quote the document
 */
export function ofAnswer(status: number, type: string, reason: string): Error {
  if (type === 'index_not_found_exception') return new SearchIndexMissing('The search index does not exist.')
  if (status === 409) return new DocumentChanged('The document was changed in the meantime.')
  const answer = `OpenSearch answered ${status} ${type}`
  // A document, or a request of ours, that OpenSearch will never take.
  return status === 400 ? new Error(`${answer}: ${reason}`) : new SearchStoreAway(`${answer}.`)
}

/** OpenSearch's name of an error that it answered with; empty for any other. */
export function typeOf(error: unknown): string {
  if (!(error instanceof errors.ResponseError)) return ''
  const { type } = (error.body?.error ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : ''
}
