import { registerHooks } from 'node:module'

/** Loaded into a program before it: names on standard error each module of OpenTelemetry that the program loads. */
registerHooks({
  load(url, context, next) {
    if (url.includes('/node_modules/@opentelemetry/')) process.stderr.write(`loaded ${url}\n`)
    return next(url, context)
  },
})
