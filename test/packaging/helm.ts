import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findOnPath } from '../harness/on-path.ts'

/** Built from its source as a Go module, where there is neither a Helm nor one from an earlier run. */
const version = 'v3.22.0'
const folder = fileURLToPath(new URL(`../../node_modules/.cache/storeferry/helm-${version}`, import.meta.url))

/** The path of a Helm; `HELM` names one. Undefined where there is none and none can be built. Building takes minutes. */
export async function findHelm(): Promise<string | undefined> {
  const { HELM } = process.env
  if (HELM) return HELM
  const built = join(folder, 'helm')
  if (existsSync(built)) return built
  const installed = findOnPath('helm')
  if (installed) return installed
  await mkdir(folder, { recursive: true })
  const env = { ...process.env, GOBIN: folder }
  await promisify(execFile)('go', ['install', `helm.sh/helm/v3/cmd/helm@${version}`], { env }).catch(() => undefined)
  return existsSync(built) ? built : undefined
}

export const helmMissing = 'rendered by Helm: install Helm, or Go to build it with, or name one in HELM'
