import type { Row, SandboxStore } from '../../../store/store.ts'
import { videoTable } from '../../../tables/product-tables.ts'
import { refuseIfAny } from '../../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../../validation/field-rules.ts'

const RULES: FieldRules = {
  title: { kind: 'text', max: 255 },
  description: { kind: 'text' },
  sort_order: { kind: 'integer', min: -2_147_483_648, max: 2_147_483_647 },
  type: { kind: 'text', oneOf: ['youtube'] },
}
const VIDEO_ID: FieldRules = { video_id: { kind: 'text', min: 1, max: 25 } }

/** The platform gets the length from YouTube. The sandbox makes no outside calls, so all videos are equally long. */
const LENGTH = '01:00'

/** A PUT can change how a video is displayed, but not which video it is. */
export function saveVideo(store: SandboxStore, product: Row, body: Record<string, unknown>, own?: Row): Row {
  const { values, errors } = readFields(own ? RULES : { ...RULES, ...VIDEO_ID }, body)
  refuseIfAny({ ...(own ? {} : complaintsAboutMissing(['video_id'], body)), ...errors })
  if (own) return videoTable(store).update(own.id, values)
  const fresh = { title: '', description: '', type: 'youtube', length: LENGTH }
  const sort_order = videoTable(store).count({ product_id: product.id })
  return videoTable(store).insert({ product_id: product.id, ...fresh, sort_order, ...values })
}
