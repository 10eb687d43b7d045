import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The path of a Chromium on this machine; `CHROMIUM` names another. Undefined if there is none. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env
  return CHROMIUM || paths.find((path) => existsSync(path))
}

/** The name of a suite that is skipped for want of a browser; the test script prints it. */
export const chromiumMissing = 'in a browser: install the Debian package chromium, or name one in CHROMIUM'

/** Installs it where that is possible: as root, on a system with apt. Does nothing anywhere else. */
export function installChromium(): void {
  if (findChromium() || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  console.log('Installing the Debian package chromium for the tests in a browser.')
  const quiet = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  spawnSync('apt-get', ['update', '-qq'], quiet)
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], quiet)
  if (!findChromium()) console.log('The Debian package chromium could not be installed.')
}
