/** What `npm test` (`default`) and each `npm run test:<name>` run. `npm run test:all` runs them in this order. */
export const suites: Record<string, Suite> = {
  default: { long: false },
  engine: { folders: ['engine', 'comparison', 'hosts', 'packaging', 'db', 'search'], long: true },
  kills: { folders: ['kills'], long: true },
  faults: { folders: ['faults'], long: true },
  entities: { folders: ['entities'], long: true },
  security: { folders: ['security'], long: true },
  portal: { folders: ['portal'], long: true },
  clients: { folders: ['clients'], long: true },
  'whole-store': { folders: ['whole-store'], long: true },
}

export interface Suite {
  /** Below `test`; without any, the suite is every test there is, also those beside their files. */
  folders?: string[]
  /** Sets STOREFERRY_LONG=1: tests take their long form, and files named `*.long.test.ts` run too. */
  long: boolean
}
