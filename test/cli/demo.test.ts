import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startProgram, untilPrinted } from './run-program.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sf-'))
  // Run by root, PostgreSQL's own user has to pass through.
  await chmod(directory, 0o711)
})

afterAll(() => rm(directory, { recursive: true, force: true }))

function startDemo(...options: string[]) {
  return startProgram(['demo', '--size', 'tiny', ...options], { environment: { TMPDIR: directory, HOME: directory } })
}

/** Processes of the demo's group, and any that names its directory: PostgreSQL has a group of its own. */
async function leftBehind(groupId: number): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(['stat', 'cmdline'].map((file) => readProcess(pid, file)))
      // After the name in parentheses: state, parent, group.
      const group = Number(stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[2])
      return group === groupId || command?.includes(directory) ? [`${pid} ${command?.replaceAll('\0', ' ')}`] : []
    }),
  )
  return found.flat()
}

/** Processes come and go while we look. */
function readProcess(pid: string, file: string): Promise<string> {
  return readFile(join('/proc', pid, file), 'utf8').catch(() => '')
}

test('the demo copies a store, verifies the copy and leaves no process or directory', async () => {
  const demo = startDemo('--latency', '0')
  expect(await demo.ended, demo.errors()).toBe(0)
  const output = demo.output()
  expect(output).toContain('plan unlimited')
  expect(output).toMatch(/^Forecast: 12 products, /m)
  expect(output).toMatch(/^Products +Products +12 +12 +0 +0 +0 +0$/m)
  expect(output).toMatch(/^writing the destination +\d+$/m)
  expect(output).toMatch(/at 150 calls per 30 s, .* at 450 calls per 30 s\.$/m)
  expect(output).toMatch(/^ {2}kept store-contacts .* store_email \(not shown\), store_name \(not shown\)$/m)
  expect(output).toMatch(/^verified: 0 differences; 2 values that each store keeps as its own$/m)
  expect(output).toMatch(/^In a browser: npx storeferry start --demo$/m)
  expect(demo.errors()).toBe('')
  expect(await readdir(directory)).toEqual([])
  expect(await leftBehind(demo.child.pid ?? 0)).toEqual([])
})

test('Ctrl-C during the demo leaves no process or directory either', async () => {
  const demo = startDemo('--latency', '50')
  await untilPrinted(demo, /^Migration /m)
  // A terminal sends it to every process of the group.
  process.kill(-(demo.child.pid ?? 0), 'SIGINT')
  expect(await demo.ended).toBe(130)
  expect(await readdir(directory)).toEqual([])
  expect(await leftBehind(demo.child.pid ?? 0)).toEqual([])
})

test('a demo in a browser signs its owner and its administrator in by links that work once, and leaves no process or directory', async () => {
  const demo = startProgram(['start', '--demo'], { environment: { TMPDIR: directory, HOME: directory } })
  const [, url = ''] = await untilPrinted(demo, /^Storeferry is ready at (\S+)\/app,/m)
  const [, token = ''] = await untilPrinted(demo, /\/app\/invitation#([\w-]{43})$/m)
  const [, staffToken = ''] = await untilPrinted(
    demo,
    /^For Administration, .*as administrator@demo\.example:\n.*\/app\/invitation#([\w-]{43})$/m,
  )
  await untilPrinted(demo, /Ctrl-C /m)
  const send = (path: string, fields: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams(fields),
    })
  const password = 'a password long enough'
  expect((await send('/app/invitation', { token, password })).status).toBe(303)
  expect((await send('/app/invitation', { token, password })).status).not.toBe(303)
  expect((await send('/app/invitation', { token: staffToken, password })).status).toBe(303)
  const read = async (email: string, path: string) => {
    const signedIn = await send('/app/sign-in', { email, password, return_to: '/app' })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    return (await fetch(`${url}${path}`, { headers: { cookie } })).json()
  }
  const stores = await read('owner@demo.example', '/v2/stores')
  expect(stores).toMatchObject({ items: [{ label: 'New shop' }, { label: 'Old shop' }] })
  const organisations = await read('administrator@demo.example', '/admin/api/organisations')
  expect(organisations).toMatchObject({ items: [{ name: 'Demo Outfitters' }] })
  // A service manager sends it to every process of the group, and launchers pass it on.
  process.kill(-(demo.child.pid ?? 0), 'SIGTERM')
  await sleep(50)
  demo.child.kill('SIGTERM')
  expect(await demo.ended).toBe(0)
  expect(await readdir(directory)).toEqual([])
  expect(await leftBehind(demo.child.pid ?? 0)).toEqual([])
})

test.each([
  'demo',
  'start --demo',
])('S11: %s refuses to run where a database or a platform is configured', async (command) => {
  const environment = { TMPDIR: directory, HOME: directory }
  for (const [name, value] of [
    ['DATABASE_URL', 'postgres://127.0.0.1:1/real'],
    ['BIGCOMMERCE_API_URL', 'https://api.bigcommerce.com'],
  ]) {
    const demo = startProgram(command.split(' '), { environment: { ...environment, [name ?? '']: value } })
    expect(await demo.ended).toBe(1)
    expect(demo.errors()).toContain(`unset ${name}`)
  }
})
