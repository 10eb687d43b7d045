import { z } from 'zod'
import { guardedUrl } from './config-address.ts'

export interface TracingSettings {
  /** Of the collector, without the path of traces. */
  url: string
  headers: Record<string, string>
}

/** `authorization=Bearer%20secret,x-tenant=agency`. Source: OpenTelemetry, "OTLP exporter configuration". */
const headers = z.string().transform((text, context) => {
  const pairs = text
    .split(',')
    .map((part) => part.trim().match(/^([\w!#$%&'*+.^`|~-]+)=((?:%[0-9a-fA-F]{2}|[!-$&-~])*)$/))
  const decoded = pairs.map((pair) => [pair?.[1]?.toLowerCase(), decode(pair?.[2])])
  if (decoded.every(([name, value]) => name !== undefined && value !== undefined))
    return Object.fromEntries(decoded) as Record<string, string>
  context.addIssue({ code: 'custom', message: 'give it as name=value,name=value, with %-encoded signs' })
  return z.NEVER
})

/** Undefined for bytes that are no text, and for line ends, which would begin another header. */
function decode(value: string | undefined): string | undefined {
  try {
    const text = decodeURIComponent(value ?? '')
    return value === undefined || /[^ -~]/.test(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Part of the table in `config.ts`. */
export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: guardedUrl('the collector of traces'),
    fallback: 'none',
    about:
      'Collector of OpenTelemetry traces, which gets them by OTLP over HTTP at /v1/traces below this address; https, or http on localhost or 127.0.0.1. Without one there are none. See [Traces](hosting.md#traces).',
    // A password in it is refused, and must not be quoted then.
    secret: true,
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: headers,
    fallback: 'none',
    about: 'Headers for the collector, such as a token: authorization=Bearer%20secret,name=value.',
    secret: true,
  },
} as const
