import { fileURLToPath } from 'node:url'
import { findBreaches } from './find-breaches.ts'

const { modules, breaches } = await findBreaches(fileURLToPath(new URL('../..', import.meta.url)))
for (const { rule, from, to } of breaches) console.error(`${rule}: ${from} -> ${to}`)
console.log(`${modules} modules, ${breaches.length === 0 ? 'no breach' : `${breaches.length} breaches`}`)
process.exitCode = breaches.length === 0 ? 0 : 1
