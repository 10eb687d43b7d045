import { noContent, ok } from '../http/answers.ts'
import type { SandboxRequest, SandboxRoute } from '../http/resource.ts'
import type { Row, SandboxStore, Table } from '../store/store.ts'
import { numberParam, rowOr404 } from '../validation/body-checks.ts'
import { CATEGORY_PICTURES, keepPicture, pictureIn } from './uploads.ts'

/** A resource with one picture, stored in `image_url` as a file name. */
interface PictureOwner {
  /** Path of the picture, and the parameter in it that identifies the owner. */
  path: string
  parameter: string
  table(store: SandboxStore): Table
  /** The word for the owner in file names. */
  name: string
}

/** The picture of a category or brand, uploaded as a form. */
export function uploadedImageRoutes(owner: PictureOwner): SandboxRoute[] {
  const { path, parameter, table, name } = owner
  const scope = 'store_v2_products'
  const named = (request: SandboxRequest): Row => rowOr404(table(request.store), numberParam(request, parameter))
  return [
    {
      method: 'POST',
      path,
      scope,
      latency: 'heavy',
      form: 'only',
      handle: (request) => {
        const { store } = request
        const { id } = named(request)
        const picture = pictureIn(request, CATEGORY_PICTURES)
        return store.transaction(() => {
          const image_url = keepPicture(store, picture, `${name} ${id}`)
          table(store).update(id, { image_url })
          return ok({ image_url: `${store.imageBase}/${image_url}` })
        })
      },
    },
    {
      method: 'DELETE',
      path,
      scope,
      latency: 'write',
      handle: (request) => {
        table(request.store).update(named(request).id, { image_url: '' })
        return noContent()
      },
    },
  ]
}
