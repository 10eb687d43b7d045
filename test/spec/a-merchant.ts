import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { type Sandbox, startSandbox } from '../../sandbox/start.ts'
import {
  aBrowser,
  anOrganisation,
  aPerson,
  aService,
  aSession,
  type Browser,
  type Organisation,
  type Service,
} from '../api/a-service.ts'

export interface Merchant {
  service: Service
  sandbox: Sandbox
  organisation: Organisation
  token: string
  /** Somebody of the platform's own staff, in a browser. */
  administrator: Browser
  get(path: string): Promise<LightMyRequestResponse>
  post(path: string, body?: object): Promise<LightMyRequestResponse>
  ask(options: InjectOptions): Promise<LightMyRequestResponse>
  close(): Promise<void>
}

export const storeToken = 'token-of-both-stores'
export const pair = { source: 'from1', destination: 'to1' }

/** An organisation with a shop that has a catalogue and an empty one, before a service that works on no runs. */
export async function aMerchant(): Promise<Merchant> {
  const sandbox = await startSandbox({
    plan: 'unlimited',
    stores: [
      { name: 'From', hash: pair.source, seed: 'tiny', token: storeToken },
      { name: 'To', hash: pair.destination, seed: 'empty', token: storeToken },
      { name: 'Large', hash: 'large1', seed: 'tiny-catalogue', token: storeToken },
    ],
  })
  const service = await aService({ bigcommerceApiUrl: sandbox.url })
  const organisation = await anOrganisation(service, { stores: Object.values(pair), storeToken })
  const token = await organisation.token()
  const staff = await aPerson(service, { administrator: true })
  const headers = { authorization: `Bearer ${token}` }
  return {
    service,
    sandbox,
    organisation,
    token,
    administrator: aBrowser(service, await aSession(service, staff.userId)),
    get: (path) => service.inject({ url: path, headers }),
    post: (path, body) => service.inject({ method: 'POST', url: path, headers, ...(body && { payload: body }) }),
    ask: (options) => service.inject(options),
    close: async () => {
      await service.close()
      await sandbox.close()
    },
  }
}
