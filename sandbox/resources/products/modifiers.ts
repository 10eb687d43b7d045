import { ok } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource } from '../../http/resource.ts'
import { keepPicture, PRODUCT_PICTURES, pictureIn } from '../../images/uploads.ts'
import type { Row, SandboxStore } from '../../store/store.ts'
import { modifierTable, modifierValueTable } from '../../tables/product-tables.ts'
import { refuseIfAny, rowsIn } from '../../validation/body-checks.ts'
import { complaintsAboutMissing, type FieldRules, readFields } from '../../validation/field-rules.ts'
import { ATTRIBUTE_FIELDS } from './attribute-fields.ts'
import { type AttributeKind, attributeRoutes, namedValue } from './attribute-routes.ts'
import {
  failOnBadDates,
  insertCheckboxValues,
  MODIFIER_TYPES,
  modifierValues,
  refuseValuesFor,
} from './rows/modifier-rules.ts'
import { internalName, modifierAnswer, modifierValueAnswer, refuseTakenDisplayName } from './rows/option-rows.ts'

type Body = Record<string, unknown>

const FIELDS: FieldRules = {
  ...ATTRIBUTE_FIELDS,
  type: { kind: 'text', oneOf: MODIFIER_TYPES },
  required: { kind: 'boolean' },
}

function insert(store: SandboxStore, product: Row, body: Body): Row {
  const { values, errors } = readFields(FIELDS, body)
  refuseIfAny({ ...complaintsAboutMissing(['display_name', 'type', 'required'], body), ...errors })
  refuseValuesFor(String(values.type), rowsIn(body, 'option_values'))
  failOnBadDates(values.type, body.config)
  refuseTakenDisplayName(store, product.id, String(values.display_name))
  const modifier = modifierTable(store).insert({
    product_id: product.id,
    name: internalName(String(values.display_name), product.id, Date.now()),
    sort_order: 0,
    ...values,
    config: body.config ?? [],
  })
  if (modifier.type === 'checkbox') insertCheckboxValues(store, modifier)
  return modifier
}

/** Values without an id are new. A checkbox keeps its two values and accepts no new ones. */
function checkUpdate(modifier: Row, body: Body): void {
  const added = rowsIn(body, 'option_values').filter((value) => value.id === undefined)
  refuseValuesFor(String(modifier.type), added)
  failOnBadDates(modifier.type, body.config)
}

const kind: AttributeKind = {
  folder: 'modifiers',
  parameter: 'modifierId',
  table: modifierTable,
  fields: FIELDS,
  values: modifierValues,
  shown: modifierAnswer,
  valueShown: modifierValueAnswer,
  insert,
  checkUpdate,
  checkNewValue: (modifier, body) => refuseValuesFor(String(modifier.type), [body]),
}

/** Sets the picture that shoppers see once they choose the value. No call deletes it. */
function setImage(request: SandboxRequest): SandboxAnswer {
  const { store } = request
  const { id, adjusters } = namedValue(kind, request)
  const picture = pictureIn(request, PRODUCT_PICTURES)
  return store.transaction(() => {
    const image_url = `${store.imageBase}/${keepPicture(store, picture, `modifier value ${id}`)}`
    modifierValueTable(store).update(id, { adjusters: { ...(adjusters as Body), image_url } })
    return ok({ image_url })
  })
}

export const modifiers: SandboxResource = {
  key: 'modifiers',
  routes: [
    ...attributeRoutes(kind),
    {
      method: 'POST',
      path: '/v3/catalog/products/:productId/modifiers/:modifierId/values/:valueId/image',
      scope: 'store_v2_products',
      latency: 'heavy',
      form: 'only',
      handle: setImage,
    },
  ],
}
