import { notFound, ok, Refusal, refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import type { SandboxStore } from '../../store/store.ts'
import { storeNumber } from '../../store/store-identity.ts'
import { numberParam } from '../../validation/body-checks.ts'
import { type JsonFields, jsonComplaints, listOfObjects, refuseInvalidJson } from '../../validation/json-checks.ts'
import { channelCurrencyTable, currenciesOf, enabledCodes, ownCurrencies } from './channel-currencies.ts'
import { channelsTable } from './channels.ts'

type Body = Record<string, unknown>

const SCOPE = 'store_channel_settings'
const ALL = '/v3/channels/currency-assignments'
const ONE = '/v3/channels/:channelId/currency-assignments'

const FIELDS: JsonFields = { enabled_currencies: 'jsarray', default_currency: 'jsstring' }

/** Every channel has currencies: its own, or the store's. Deleted channels are left out (our choice). */
function listAll({ store }: SandboxRequest): SandboxAnswer {
  const channels = channelsTable(store)
    .find({})
    .filter(({ status }) => status !== 'deleted')
  return ok(channels.map(({ id }) => currenciesOf(store, id)))
}

function saveAll({ store, body }: SandboxRequest): SandboxAnswer {
  const rows = listOfObjects({ channel_id: 'jsnumber', ...FIELDS }, body)
  return store.transaction(() => ok(rows.map((row) => save(store, Number(row.channel_id), row))))
}

function saveOne(request: SandboxRequest): SandboxAnswer {
  refuseInvalidJson(jsonComplaints(FIELDS, request.body))
  return ok(save(request.store, numberParam(request, 'channelId'), request.body as Body))
}

/** POST and PUT both replace the currencies of the channel (our choice: the specification names no difference). */
function save(store: SandboxStore, channelId: number, body: Body) {
  refuseUnknownChannel(store, channelId)
  const codes = body.enabled_currencies as unknown[]
  refuseUnknownCurrencies(store, codes)
  if (!codes.includes(body.default_currency))
    refuseField('default_currency', 'The field `default_currency` must be one of the enabled currencies')
  const row = { channel_id: channelId, enabled_currencies: codes, default_currency: body.default_currency }
  const own = ownCurrencies(store, channelId)
  if (own) channelCurrencyTable(store).update(own.id, row)
  else channelCurrencyTable(store).insert(row)
  return currenciesOf(store, channelId)
}

function refuseUnknownChannel(store: SandboxStore, channelId: number): void {
  if (channelsTable(store).get(channelId)) return
  refuse(422, `The following \`channel_id\`s [${channelId}] are not valid for store ${storeNumber(store)}.`)
}

function refuseUnknownCurrencies(store: SandboxStore, codes: unknown[]): void {
  const known = enabledCodes(store)
  const unknown = codes.filter((code) => !known.includes(String(code)))
  const text = 'The field `enabled_currencies` contains the following currencies that have not been enabled'
  if (unknown.length > 0) refuseField('enabled_currencies', `${text} [${unknown.join(', ')}]`)
}

function refuseField(field: string, text: string): never {
  return refuse(422, `The following fields are invalid: \`${field}\``, { [field]: text })
}

function namedChannelId(request: SandboxRequest): number {
  const channel = channelsTable(request.store).get(numberParam(request, 'channelId'))
  if (!channel) throw new Refusal(notFound('Not found'))
  return channel.id
}

/** Gives the channel the store's currencies again. The answer is the same if it already had them. */
function remove(request: SandboxRequest): SandboxAnswer {
  const channelId = namedChannelId(request)
  const own = ownCurrencies(request.store, channelId)
  if (own) channelCurrencyTable(request.store).delete(own.id)
  return ok(channelId)
}

const read = { scope: SCOPE, latency: 'read' } as const
const write = { scope: SCOPE, latency: 'write' } as const

export const channelCurrencyAssignments: SandboxResource = {
  key: 'channel-currency-assignments',
  routes: [
    { method: 'GET', path: ALL, ...read, handle: listAll },
    { method: 'POST', path: ALL, ...write, handle: saveAll },
    { method: 'PUT', path: ALL, ...write, handle: saveAll },
    {
      method: 'GET',
      path: ONE,
      ...read,
      handle: (request) => ok(currenciesOf(request.store, namedChannelId(request))),
    },
    { method: 'POST', path: ONE, ...write, handle: saveOne },
    { method: 'PUT', path: ONE, ...write, handle: saveOne },
    { method: 'DELETE', path: ONE, ...write, handle: remove },
  ],
}
