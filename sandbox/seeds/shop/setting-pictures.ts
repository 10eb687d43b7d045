import { DEFAULT_CHANNEL_ID } from '../../resources/channels/channels.ts'
import { GLOBAL, PICTURES_GROUP, writeSettings } from '../../resources/settings/stored-settings.ts'
import type { SandboxStore } from '../../store/store.ts'

/** Gives the store a logo and an icon, and its first storefront its own logo. */
export function seedSettingPictures(store: SandboxStore): void {
  const ofStore = { logo_image_url: 's/everyday-goods__00001.png', favicon_url: 's/leaf__00002.png' }
  writeSettings(store, { name: PICTURES_GROUP, channel_id: GLOBAL, pictures: ofStore })
  const ofChannel = { logo_image_url: 's/everyday-goods-wide__00003.png' }
  writeSettings(store, { name: PICTURES_GROUP, channel_id: DEFAULT_CHANNEL_ID, pictures: ofChannel })
}
