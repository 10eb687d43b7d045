import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settings } from '../../src/config.ts'
import { launcher } from '../cli/run-program.ts'
import { findOnPath } from '../harness/on-path.ts'

const unit = await readFile(new URL('../../deploy/storeferry.service', import.meta.url), 'utf8')
const valuesOf = (key: string) => [...unit.matchAll(RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)
const found = findOnPath('systemd-analyze')

test('the service of systemd keeps its data where it may write, and sets nothing that the program does not know', () => {
  const names = valuesOf('Environment').map((setting) => setting.split('=')[0] ?? '')
  expect(names.filter((name) => !(name in settings))).toEqual([])
  expect(valuesOf('Environment')).toEqual([`STOREFERRY_DATA=/var/lib/${valuesOf('StateDirectory')}`])
})

test.skipIf(!found)(`systemd accepts the service${found ? '' : ' (install systemd)'}`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sf-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [program = ''] = (valuesOf('ExecStart')[0] ?? '').split(' ')
  const file = join(folder, 'storeferry.service')
  await writeFile(file, unit.replace(program, launcher))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' })
  expect(stderr.split('\n').filter((line) => line.includes('storeferry'))).toEqual([])
  expect(status).toBe(0)
})
