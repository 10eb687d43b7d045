import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { tiers } from '../../src/contract/migration.ts'
import { installInto } from '../clients/install-packages.ts'
import { findHelm, helmMissing } from './helm.ts'

const chart = fileURLToPath(new URL('../../deploy/helm/storeferry', import.meta.url))
const example = ['--values', join(chart, 'ci/example-values.yaml')]
const key = 'ab'.repeat(32)
const least = [
  ...['--set', 'image.repository=registry.agency.example/storeferry', '--set', 'url=https://ferry.agency.example'],
  ...['--set', 'secrets.databaseUrl=postgres://ferry:secret@db.example/ferry', '--set', `secrets.key=${key}`],
]
/** A Helm that was built as a Go module takes the cluster for an old one, unless it gets the version. */
const rendering = ['template', 'ferry', chart, '--kube-version', '1.33.0']
const helm = await findHelm()

interface Manifest {
  kind: string
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> }
  // What a test reads of it is its own business.
  // biome-ignore lint/suspicious/noExplicitAny: manifests of ten kinds
  spec: any
  stringData?: Record<string, string>
}

interface Egress {
  ports: { port: number }[]
}

describe.skipIf(!helm)(helm ? 'the Helm chart' : `the Helm chart (${helmMissing})`, () => {
  async function render(...values: string[]): Promise<Manifest[]> {
    const { stdout } = await promisify(execFile)(String(helm), [...rendering, ...values])
    const documents = parseAllDocuments(stdout)
    return documents.map((document) => document.toJS()).filter((manifest) => manifest !== null)
  }

  const refusal = (...values: string[]) => spawnSync(String(helm), [...rendering, ...values]).stderr.toString()
  const workloads = (manifests: Manifest[]) => manifests.filter(({ kind }) => ['Deployment', 'Job'].includes(kind))
  const named = (manifests: Manifest[], kind: string) =>
    manifests.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name)

  let small: Manifest[]
  let large: Manifest[]
  beforeAll(async () => {
    small = await render(...least)
    large = await render(...example)
  })

  test('passes the linter of Helm without a warning', () => {
    for (const values of [least, example]) {
      const { status, stdout } = spawnSync(String(helm), ['lint', '--strict', chart, ...values])
      expect([status, stdout.toString()]).toEqual([0, expect.stringContaining('0 chart(s) failed')])
    }
  })

  test('renders a deployment of servers and one for each pool, with a job, a policy and a budget', () => {
    expect(named(small, 'Deployment')).toEqual([
      'ferry-storeferry-server',
      'ferry-storeferry-worker-large',
      'ferry-storeferry-worker-standard',
    ])
    expect(named(small, 'Job')).toEqual(['ferry-storeferry-migration'])
    expect(named(small, 'PodDisruptionBudget')).toEqual(named(small, 'Deployment'))
    expect(named(small, 'NetworkPolicy')).toEqual(['ferry-storeferry-server', 'ferry-storeferry-worker'])
    expect([named(small, 'Ingress'), named(small, 'ScaledObject')]).toEqual([[], []])
    expect([named(large, 'Ingress'), named(large, 'ScaledObject'), named(large, 'Secret')]).toEqual([
      ['ferry-storeferry'],
      ['ferry-storeferry-worker-standard'],
      [],
    ])
  })

  test('what selects pods selects those of one deployment, or of one component', () => {
    for (const manifests of [small, large]) {
      const pods = workloads(manifests).map(({ spec }) => spec.template.metadata.labels as Record<string, string>)
      for (const { kind, metadata, spec } of manifests) {
        const selector =
          spec?.podSelector?.matchLabels ?? spec?.selector?.matchLabels ?? (kind === 'Service' && spec.selector)
        if (!selector) continue
        const selected = pods.filter((labels) =>
          Object.entries(selector).every(([name, value]) => labels[name] === value),
        )
        const workersPolicy = kind === 'NetworkPolicy' && metadata.name.endsWith('-worker')
        expect(selected.length, `${kind} ${metadata.name}`).toBe(workersPolicy ? 2 : 1)
      }
    }
  })

  test('every container is an ordinary user without rights, and writes to volumes only', () => {
    for (const { metadata, spec } of [...workloads(small), ...workloads(large)]) {
      const pod = spec.template.spec
      expect(pod, metadata.name).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: 'RuntimeDefault' } },
      })
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources).toMatchObject({
          requests: { memory: expect.anything() },
          limits: { memory: expect.anything() },
        })
        const mounted = container.volumeMounts.map(({ name }: { name: string }) => name)
        expect(mounted.sort()).toEqual(pod.volumes.map(({ name }: { name: string }) => name).sort())
      }
    }
  })

  test('every probe, service, ingress and policy names a port that its pods have', () => {
    for (const { spec } of workloads(small)) {
      const [container] = spec.template.spec.containers
      const ports = (container.ports ?? []).map(({ name }: { name: string }) => name)
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'])
        if (ports.length > 0) expect(ports).toContain(container[probe].httpGet.port)
    }
    const service = small.find(({ kind }) => kind === 'Service')
    expect(service?.spec.ports).toEqual([{ name: 'http', port: 80, targetPort: 'http' }])
    const ingress = large.find(({ kind }) => kind === 'Ingress')
    expect(ingress?.spec).toMatchObject({
      ingressClassName: 'nginx',
      tls: [{ hosts: ['ferry.agency.example'], secretName: 'ferry-tls' }],
      rules: [
        {
          host: 'ferry.agency.example',
          http: { paths: [{ backend: { service: { name: 'ferry-storeferry-server' } } }] },
        },
      ],
    })
  })

  /** What servers and workers reach, by the policy of each. */
  async function openPorts(...values: string[]): Promise<number[][]> {
    const policies = (await render(...least, ...values)).filter(({ kind }) => kind === 'NetworkPolicy')
    return policies.map(({ spec }) => spec.egress.flatMap((rule: Egress) => rule.ports.map(({ port }) => port)))
  }

  test('pods reach a collector of traces only where one is set', async () => {
    const endpoint = 'settings.OTEL_EXPORTER_OTLP_ENDPOINT=https://otlp.agency.example:4318'
    for (const open of await openPorts()) expect(open).not.toContain(4318)
    for (const open of await openPorts('--set', endpoint)) expect(open).toContain(4318)
    expect(refusal(...least, '--set', 'settings.OTEL_EXPORTER_OTLP_ENDPOINT=http://collector:4318')).toContain('OTEL_')
  })

  test('pods reach OpenSearch only where one is used', async () => {
    const own = ['--set', 'secrets.existingSecret=storeferry']
    const url = ['--set', 'secrets.openSearchUrl=https://ferry:secret@search.example:9200']
    const ports = async (...values: string[]) => (await openPorts(...values)).map((open) => open.includes(9200))
    expect(await ports()).toEqual([false, false])
    expect(await ports(...url)).toEqual([true, true])
    expect(await ports(...own)).toEqual([false, false])
    // Of a Secret that is not made by the chart, only its owner knows.
    expect(await ports(...own, ...url)).toEqual([false, false])
    expect(await ports(...own, '--set', 'networkPolicy.search=true')).toEqual([true, true])
  })

  test('the service accepts the settings of every process, with the Secret that it names', () => {
    const secrets = new Map(
      small.filter(({ kind }) => kind === 'Secret').map((one) => [one.metadata.name, one.stringData ?? {}]),
    )
    const configs = workloads(small).map(({ metadata, spec }) => {
      const [container] = spec.template.spec.containers
      const environment: Record<string, string | undefined> = {}
      for (const { name, value, valueFrom } of container.env) {
        const reference = valueFrom?.secretKeyRef
        const secret = reference && secrets.get(reference.name)
        if (reference) expect(secret, `the Secret of ${metadata.name}`).toBeDefined()
        if (reference && !reference.optional) expect(secret).toHaveProperty(reference.key)
        environment[name] = value ?? secret?.[reference.key]
      }
      return [metadata.name.replace('ferry-storeferry-', ''), readConfig(environment)] as const
    })
    expect(configs.map(([name]) => name).sort()).toEqual(['migration', 'server', 'worker-large', 'worker-standard'])
    for (const [, config] of configs)
      expect(config).toMatchObject({
        siteUrl: 'https://ferry.agency.example',
        key,
        databaseUrl: expect.stringContaining('@db.example/'),
      })
    const [standard, big] = ['worker-standard', 'worker-large'].map((name) => Object.fromEntries(configs)[name])
    expect([standard?.hostTierRuns, big?.hostTierRuns]).toEqual([
      { xlarge: 0, xxlarge: 0, xxxlarge: 0 },
      { small: 0, medium: 0, large: 0 },
    ])
    expect([standard?.maxRuns, big?.maxRuns]).toEqual([6, 2])
  })

  test('the migration and its Secret come before everything else, and are removed when it has succeeded', () => {
    const hooks = small.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'])
    const weight = ({ metadata }: Manifest) => Number(metadata.annotations?.['helm.sh/hook-weight'])
    expect(hooks.sort((a, b) => weight(a) - weight(b)).map(({ kind }) => kind)).toEqual(['Secret', 'Job'])
    for (const { metadata } of hooks)
      expect(metadata.annotations).toMatchObject({
        'helm.sh/hook': 'pre-install,pre-upgrade',
        'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
      })
  })

  test('a pool that is scaled has no number of replicas of its own, and a worker for every six runs', () => {
    const scaled = large.find(({ metadata, kind }) => kind === 'Deployment' && metadata.name.endsWith('-standard'))
    expect(scaled?.spec).not.toHaveProperty('replicas')
    expect(large.find(({ kind }) => kind === 'ScaledObject')?.spec).toMatchObject({
      scaleTargetRef: { name: scaled?.metadata.name },
      minReplicaCount: 1,
      maxReplicaCount: 6,
      triggers: [
        {
          type: 'postgresql',
          metadata: {
            connectionFromEnv: 'DATABASE_URL',
            targetQueryValue: '6',
            query: expect.stringContaining("tier in ('small','medium','large')"),
          },
        },
      ],
    })
  })

  test('a changed value of the Secret replaces the pods', async () => {
    const annotation = (manifests: Manifest[]) =>
      workloads(manifests).find(({ kind }) => kind === 'Deployment')?.spec.template.metadata.annotations[
        'storeferry/secret'
      ]
    const changed = await render(...least, '--set', `secrets.key=${'cd'.repeat(32)}`)
    expect(annotation(small)).toMatch(/^[0-9a-f]{64}$/)
    expect(annotation(changed)).not.toBe(annotation(small))
  })

  test('without what it needs, it is refused with the name of the value', () => {
    expect(refusal()).toMatch(/Set (image\.repository|secrets\.existingSecret|url)/)
    expect(refusal(...least, '--set', 'url=http://ferry.agency.example')).toContain('url')
    expect(refusal(...least, '--set', 'workers.large=null')).toContain('No entry of workers takes the tier xlarge')
    expect(
      refusal(...least, '--set', 'workers.large=null', '--set', `workers.standard.tiers={${tiers.join(',')}}`),
    ).toBe('')
  })

  const validator = installInto('python3', (folder) => [
    ...['-m', 'pip', 'install', '--disable-pip-version-check', '--target', folder, 'kubernetes-validate==1.37.0'],
  ])
  afterAll(() => {
    if (validator) rmSync(validator, { recursive: true })
  })

  const title = 'every manifest is what Kubernetes describes, fields that it does not know included'
  test.skipIf(!validator)(validator ? title : `${title} (kubernetes-validate cannot be installed here)`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'storeferry-chart-'))
    const known = [...small, ...large].filter(({ kind }) => kind !== 'ScaledObject')
    const files = await Promise.all(
      known.map(async (manifest, index) => {
        const file = join(folder, `${index}-${manifest.kind}.json`)
        await writeFile(file, JSON.stringify(manifest))
        return file
      }),
    )
    const env = { ...process.env, PYTHONPATH: String(validator) }
    const checked = spawnSync('python3', ['-m', 'kubernetes_validate', '--strict', ...files], { env })
    await rm(folder, { recursive: true })
    expect([checked.status, checked.stdout.toString() + checked.stderr.toString()]).toEqual([0, expect.any(String)])
  })
})
