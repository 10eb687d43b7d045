import type { PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import { linkedFields } from '../core/links.ts'
import type { References } from '../core/references.ts'
import { settingPictures } from './setting-pictures.ts'
import { type Group, settings } from './settings.ts'

function group(name: string, { channels = true, keeps }: { channels?: boolean; keeps?: Group['keeps'] } = {}): Group {
  const path = `/v3/settings/${name}`
  const ofChannel = (channelId: unknown) => ({ path, query: { channel_id: Number(channelId) } })
  return { key: name, path, ...(channels && { ofChannel }), ...(keeps && { keeps }) }
}

/** Settings that refer to no items of the store. Source: Settings, Shipping settings. */
const plain: readonly Group[] = [
  group('store/locale', { channels: false }),
  group('store/units-of-measurement'),
  group('catalog'),
  group('inventory'),
  group('email-statuses'),
  group('logo'),
  ...['category', 'product', 'robotstxt', 'search', 'security', 'seo'].map((name) => group(`storefront/${name}`)),
  group('storefront/status', { keeps: ['prelaunch_password'] }),
  {
    key: 'shipping',
    path: '/v3/shipping/settings',
    ofChannel: (channelId) => ({ path: `/v3/shipping/settings/channels/${channelId}` }),
  },
]

/** Texts with addresses of the shop: the sitemap in robots.txt, and the messages displayed while the shop is closed. */
const texts = ['robots_txt_ssl', 'down_for_maintenance_message', 'prelaunch_message']
const translated = (values: PlatformItem, references: References) => ({
  ...values,
  ...linkedFields(values, texts, references),
})

/** Settings that contain addresses of the store's staff. */
const contacts: readonly Group[] = [group('store/profile'), group('inventory/notifications')]

const kinds = [
  settings({
    ...{ key: 'store-settings', label: 'Store settings', data: 'catalogue', groups: plain, channels: false },
    ...{ texts, translated },
  }),
  settings({
    ...{ key: 'store-contacts', label: 'Store contacts', data: 'personal', groups: contacts, channels: false },
    destinationOwned: ['store_name', 'store_email'],
  }),
  settings({
    ...{ key: 'channel-settings', label: 'Channel settings', data: 'catalogue', groups: plain, channels: true },
    ...{ texts, translated },
  }),
  settings({ key: 'channel-contacts', label: 'Channel contacts', data: 'personal', groups: contacts, channels: true }),
  ...settingPictures,
]

export const storeSettings = defineEntity({
  key: 'store-settings',
  label: 'Settings',
  group: 'settings',
  after: [],
  scope: 'store',
  prune: 'never',
  components: kinds.map(({ component }) => component),
  notMoved: [
    {
      what: 'a logo or an icon of another kind than GIF, JPEG and PNG, or of more than 10 MB',
      why: 'the platform accepts no others; each is reported',
    },
    { what: 'the password of a storefront before its launch', why: 'it is for one shop only' },
    {
      what: 'country, time zone, domain, checkout, form fields and users',
      why: "the platform's API does not take them",
    },
  ],
  passes: kinds.map(({ pass }) => pass),
})
