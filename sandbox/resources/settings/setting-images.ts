import { noContent, refuse } from '../../http/answers.ts'
import type { SandboxAnswer, SandboxRequest, SandboxResource, UploadedFile } from '../../http/resource.ts'
import { type PictureKind, pictureKind } from '../../images/picture-kind.ts'
import { keepPicture } from '../../images/uploads.ts'
import { namedChannelOf } from './settings.ts'
import { PICTURES_GROUP, storedSettings, writeSettings } from './stored-settings.ts'

/** Applies to both uploads. Source: the published settings specification. */
const KINDS: readonly PictureKind[] = ['gif', 'jpeg', 'png']
const MOST_BYTES = 10 * 1024 * 1024

function pictureIn({ files }: SandboxRequest, field: string): UploadedFile {
  const file = files.get(field)
  const complaint = file ? complaintAbout(file) : `${field} is required`
  if (!file || complaint) return refuse(422, 'Failed to save!', { [field]: complaint ?? '' })
  return file
}

function complaintAbout({ bytes }: UploadedFile): string | undefined {
  const kind = pictureKind(bytes)
  if (!kind || !KINDS.includes(kind)) return `the image must be one of: ${KINDS.join(', ')}`
  return bytes.length > MOST_BYTES ? 'the image must not be larger than 10 MB' : undefined
}

function upload(request: SandboxRequest, field: string, setting: string): SandboxAnswer {
  const { store } = request
  const channel_id = namedChannelOf(request)
  const picture = pictureIn(request, field)
  store.transaction(() => {
    const before = storedSettings(store, PICTURES_GROUP, channel_id)?.pictures as Record<string, string> | undefined
    const pictures = { ...before, [setting]: keepPicture(store, picture, `${setting} ${channel_id}`) }
    writeSettings(store, { name: PICTURES_GROUP, channel_id, pictures })
  })
  return noContent()
}

const form = { method: 'POST', scope: 'store_v2_information', latency: 'heavy', form: 'only' } as const

export const settingImages: SandboxResource = {
  key: 'setting-images',
  routes: [
    {
      path: '/v3/settings/logo/image',
      ...form,
      handle: (request) => upload(request, 'LogoFile', 'logo_image_url'),
    },
    {
      path: '/v3/settings/favicon/image',
      ...form,
      handle: (request) => upload(request, 'FaviconFile', 'favicon_url'),
    },
  ],
}
