import type { Shop } from '../contract-shop.ts'
import { at, type Driver, drive } from '../driver.ts'

const SCRIPTS = '/v3/content/scripts'
const SCRIPT = `${SCRIPTS}/:uuid`
const NO_SUCH_ID = '00000000-0000-4000-a000-000000000000'

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
  drive(
    `GET ${SCRIPTS}`,
    async (shop) => {
      await aScript(shop)
      return { query: 'channel_id:in=1&sort=name&direction=desc' }
    },
    { query: 'page=many' },
  ),
  drive(
    `POST ${SCRIPTS}`,
    [{ body: BY_ADDRESS }, { body: AS_MARKUP }],
    [
      { body: { ...BY_ADDRESS, name: undefined } },
      { body: { ...BY_ADDRESS, html: '<script></script>' } },
      { body: { ...AS_MARKUP, load_method: 'async' } },
      { body: { ...AS_MARKUP, html: '<p>no script</p>' } },
      { body: { ...BY_ADDRESS, channel_id: 99 } },
    ],
  ),
  drive(`GET ${SCRIPT}`, at(aScript), { ids: [NO_SUCH_ID] }),
  drive(`PUT ${SCRIPT}`, at(aScript, { body: { enabled: true, location: 'head' } }), [
    { ids: [NO_SUCH_ID], body: BY_ADDRESS },
    at(aScript, { body: { load_method: 'later' } }),
  ]),
  drive(`DELETE ${SCRIPT}`, at(aScript), { ids: [NO_SUCH_ID] }),
]
