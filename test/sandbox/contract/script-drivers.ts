import type { Shop } from './contract-shop.ts'
import type { Driver } from './driver.ts'

const SCRIPTS = '/v3/content/scripts'
const SCRIPT = `${SCRIPTS}/:uuid`
const NOBODY = '00000000-0000-4000-a000-000000000000'

const BY_ADDRESS = {
  name: 'Reviews',
  description: 'Shows reviews',
  src: 'https://widgets.example/reviews.js',
  auto_uninstall: true,
  load_method: 'async',
  location: 'footer',
  visibility: 'storefront',
  kind: 'src',
  consent_category: 'functional',
  enabled: false,
  channel_id: 1,
  integrity_hashes: ['sha384-DgtwqxoPLKnJSER+TUmSPIpE6ZbVb2ZZwR241HHiqJipLiZQPN/JkKX5xxrEHUTt'],
}
const AS_MARKUP = {
  name: 'Greeting',
  kind: 'script_tag',
  html: '<script>hello()</script>',
  consent_category: 'essential',
}

async function aScript({ made }: Shop): Promise<string> {
  return ((await made('POST', SCRIPTS, BY_ADDRESS)) as unknown as { uuid: string }).uuid
}

export const scriptDrivers: Driver[] = [
  {
    operation: `GET ${SCRIPTS}`,
    succeeds: [
      async (shop) => {
        await aScript(shop)
        return { query: 'channel_id:in=1&sort=name&direction=desc' }
      },
    ],
    fails: [{ query: 'page=many' }],
  },
  {
    operation: `POST ${SCRIPTS}`,
    succeeds: [{ body: BY_ADDRESS }, { body: AS_MARKUP }],
    fails: [
      { body: { ...BY_ADDRESS, name: undefined } },
      { body: { ...BY_ADDRESS, html: '<script></script>' } },
      { body: { ...AS_MARKUP, load_method: 'async' } },
      { body: { ...AS_MARKUP, html: '<p>no script</p>' } },
      { body: { ...BY_ADDRESS, channel_id: 99 } },
    ],
  },
  {
    operation: `GET ${SCRIPT}`,
    succeeds: [async (shop) => ({ ids: [await aScript(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
  {
    operation: `PUT ${SCRIPT}`,
    succeeds: [async (shop) => ({ ids: [await aScript(shop)], body: { enabled: true, location: 'head' } })],
    fails: [
      { ids: [NOBODY], body: BY_ADDRESS },
      async (shop) => ({ ids: [await aScript(shop)], body: { load_method: 'later' } }),
    ],
  },
  {
    operation: `DELETE ${SCRIPT}`,
    succeeds: [async (shop) => ({ ids: [await aScript(shop)] })],
    fails: [{ ids: [NOBODY] }],
  },
]
