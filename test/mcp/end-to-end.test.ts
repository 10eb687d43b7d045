import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as NewClient, StreamableHTTPClientTransport as NewTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { sql } from 'kysely'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordKey } from '../../src/db/oauth/oauth-records.ts'
import { freePort } from '../../src/db/postgres/free-port.ts'
import { tools } from '../../src/mcp/registry.ts'
import { chromiumMissing, findChromium } from '../harness/chromium.ts'
import { type Person, startPerson } from './a-person.ts'
import { Notebook } from './an-sdk-client.ts'
import { startToolWorld, type ToolWorld } from './tool-world.ts'

const authorisationSuite = fileURLToPath(new URL('../../node_modules/conformance-next/dist/index.js', import.meta.url))
const names = tools.map(({ name }) => name)

describe.skipIf(!findChromium())(findChromium() ? 'in a browser' : chromiumMissing, () => {
  let tool: ToolWorld
  let person: Person
  beforeAll(async () => {
    tool = await startToolWorld()
    person = await startPerson(tool.world)
  }, 300_000)
  afterAll(async () => {
    await person?.leave()
    await tool?.world.stop()
  })

  /** As if its hour were over. */
  const expire = (token: string) =>
    sql`update oauth_records set expires_at = created_at where model = 'AccessToken' and id_hash = ${recordKey(token)}`.execute(
      tool.world.database,
    )
  const opens = async (token: string | undefined) =>
    (
      await fetch(`${tool.world.url}/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
      })
    ).status
  /** What either SDK is asked for, and the only parts of it that a story needs. */
  interface Asking {
    listTools(): Promise<{ tools: { name: string }[] }>
    callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>
    close(): Promise<void>
  }
  interface Connecting {
    finish(came: URLSearchParams): Promise<void>
    connect(): Promise<Asking>
  }

  /** The whole way of an assistant that knows nothing but the address of the endpoint. */
  async function story(notebook: Notebook, begin: () => Connecting): Promise<void> {
    const first = begin()
    await expect(first.connect()).rejects.toThrow(/unauthorized/i)
    expect(notebook.kept?.client_id).toMatch(/^sfm_/)
    const came = await person.allow(notebook.sentTo ?? new URL('about:blank'))
    expect([came.get('state'), came.get('iss')]).toEqual([notebook.state(), tool.world.url])
    await first.finish(came)
    const asking = await begin().connect()
    expect((await asking.listTools()).tools.map(({ name }) => name)).toEqual(names)
    for (const name of names) {
      const answer = await asking.callTool({ name, arguments: { ...tool.usual[name] } })
      expect(answer, name).toMatchObject({ structuredContent: expect.anything() })
      expect(answer, name).not.toHaveProperty('isError', true)
    }
    const old = notebook.held
    await expire(old?.access_token ?? '')
    // The SDK hears 401, refreshes by itself, and asks again.
    expect(await asking.callTool({ name: 'whoami', arguments: {} })).toHaveProperty('structuredContent.role', 'owner')
    expect(notebook.held?.access_token).not.toBe(old?.access_token)
    expect(notebook.held?.refresh_token).not.toBe(old?.refresh_token)
    await asking.close()
    const again = await fetch(`${tool.world.url}/oauth/mcp/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: old?.refresh_token ?? '',
        client_id: notebook.kept?.client_id ?? '',
      }),
    })
    expect([again.status, await again.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })])
    expect(await opens(notebook.held?.access_token)).toBe(401)
  }

  test('the SDK version 1 connects and calls tools, in 2025-11-25', async () => {
    const notebook = new Notebook('Version 1', person.redirectUri)
    await story(notebook, () => {
      const transport = new OldTransport(new URL(`${tool.world.url}/mcp`), { authProvider: notebook })
      const client = new OldClient({ name: 'version-1', version: '1.0.0' })
      return {
        finish: (came) => transport.finishAuth(came.get('code') ?? ''),
        connect: async () => {
          // Its transport type and that of its client differ in an optional field.
          await client.connect(transport as Parameters<typeof client.connect>[0])
          expect(transport.protocolVersion).toBe('2025-11-25')
          return client
        },
      }
    })
  })

  test('the SDK version 2 connects and calls tools, in 2026-07-28', async () => {
    const notebook = new Notebook('Version 2', person.redirectUri)
    await story(notebook, () => {
      const transport = new NewTransport(new URL(`${tool.world.url}/mcp`), { authProvider: notebook })
      const client = new NewClient(
        { name: 'version-2', version: '1.0.0' },
        { versionNegotiation: { mode: { pin: '2026-07-28' } } },
      )
      return {
        finish: (came) => transport.finishAuth(came),
        connect: async () => {
          await client.connect(transport)
          return client
        },
      }
    })
  })

  test('oauth4webapi discovers, registers, is allowed, refreshes, is caught at reuse, and revokes', async () => {
    const options = { [oauth.allowInsecureRequests]: true } as const
    const site = new URL(tool.world.url)
    const resource = await oauth.processResourceDiscoveryResponse(
      site,
      await oauth.resourceDiscoveryRequest(site, options),
    )
    const issuer = new URL(resource.authorization_servers?.[0] ?? '')
    const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
    const server = await oauth.processDiscoveryResponse(new URL(tool.world.url), discovered)
    const metadata = {
      client_name: 'By hand',
      redirect_uris: [person.redirectUri],
      token_endpoint_auth_method: 'none',
    }
    const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, options)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    expect(client.client_secret).toBeUndefined()

    const connect = async () => {
      const verifier = oauth.generateRandomCodeVerifier()
      const state = oauth.generateRandomState()
      const address = new URL(server.authorization_endpoint ?? '')
      address.search = new URLSearchParams({
        response_type: 'code',
        client_id: client.client_id,
        redirect_uri: person.redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        resource: resource.resource,
      }).toString()
      const came = oauth.validateAuthResponse(server, client, await person.allow(address), state)
      const exchanged = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        came,
        person.redirectUri,
        verifier,
        { ...options, additionalParameters: { resource: resource.resource } },
      )
      return oauth.processAuthorizationCodeResponse(server, client, exchanged)
    }
    const renew = async (token = '') => {
      const answer = await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, options)
      return oauth.processRefreshTokenResponse(server, client, answer)
    }

    const first = await connect()
    expect(await opens(first.access_token)).toBe(200)
    expect(await person.assistants()).toContain('By hand')
    const second = await renew(first.refresh_token)
    await expect(renew(first.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' })
    expect(await opens(second.access_token)).toBe(401)
    const third = await connect()
    const revoked = await oauth.revocationRequest(server, client, oauth.None(), third.refresh_token ?? '', options)
    await oauth.processRevocationResponse(revoked)
    expect(await opens(third.access_token)).toBe(401)
  })

  test('the official suite finds nothing wrong with the authorisation server', async () => {
    const port = await freePort()
    const registered = await fetch(`${tool.world.url}/oauth/mcp/register`, {
      method: 'POST',
      body: JSON.stringify({
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      }),
    })
    const { client_id } = (await registered.json()) as { client_id: string }
    const folder = await mkdtemp(join(tmpdir(), 'storeferry-conformance-'))
    const known = ['--url', tool.world.url, '--resource', tool.world.url, '--client-id', client_id]
    const suite = spawn(process.execPath, [
      authorisationSuite,
      'authorization',
      ...known,
      '-p',
      `${port}`,
      '-o',
      folder,
    ])
    const ended = once(suite, 'exit')
    let said = ''
    let sent = false
    for (const stream of [suite.stdout, suite.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text
        const [address] = /http\S+\/oauth\/mcp\/authorize\?\S+/.exec(said) ?? []
        if (address === undefined || sent) return
        sent = true
        person.visit(new URL(address)).catch(() => suite.kill())
      })
    const [exitCode] = await ended
    await rm(folder, { recursive: true })
    if (process.env.SHOW_CONFORMANCE) console.log(said)
    expect(exitCode, said).toBe(0)
    expect(said).toContain('authorization-code-grant')
  })

  test('disconnecting in the browser takes effect with the next call', async () => {
    const notebook = new Notebook('To be ended', person.redirectUri)
    const transport = () => new NewTransport(new URL(`${tool.world.url}/mcp`), { authProvider: notebook })
    const first = transport()
    await expect(new NewClient({ name: 'ended', version: '1' }).connect(first)).rejects.toThrow(/unauthorized/i)
    const came = await person.allow(notebook.sentTo ?? new URL('about:blank'))
    await first.finishAuth(came)
    expect(await opens(notebook.held?.access_token)).toBe(200)
    expect(await person.assistants()).toContain('To be ended')
    await person.disconnectAll()
    expect(await person.assistants()).toContain('"items":[]')
    expect(await opens(notebook.held?.access_token)).toBe(401)
  })
})
