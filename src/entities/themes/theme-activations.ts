import type { Component } from '../core/component.ts'
import { type Draft, draft, type PlatformItem } from '../core/draft.ts'
import { defineEntity } from '../core/entity.ts'
import type { Reading } from '../core/reading.ts'
import { MissingReference, type References } from '../core/references.ts'
import { leftOutWithChannel } from '../core/storefront-channels.ts'
import { looks, themesAt, variationsOf } from './theme-lists.ts'
import { themesKey } from './themes.ts'

const key = 'theme-activations'

/**
 * Matched if the counterpart of the storefront already displays the source's theme. Another theme counts as another
 * item.
 */
function activationDraft({ channel_id, theme_uuid, theme, variation }: PlatformItem, references: References): Draft {
  const channel = references.find('channels', channel_id)
  const there = references.wantText(themesKey, theme_uuid)
  const id = `${channel_id}/${theme}/${variation}`
  // If the storefront has no counterpart, the theme is not needed.
  if (channel !== undefined && there === undefined) throw new MissingReference(themesKey, String(theme_uuid))
  return draft(
    key,
    id,
    { channel_id: channel, theme_uuid: there, theme, variation },
    {
      compare: {},
      keys: channel === undefined ? [] : [`${channel}/${theme}/${variation}`],
      name: `${String(theme).replace(/^[a-z]+:/, '')} (${variation})`,
      ...(channel === undefined && leftOutWithChannel),
    },
  )
}

const activation: Component = {
  key,
  label: 'Themes that storefronts show',
  data: 'catalogue',
  recovery: 'resend',
  naturalKey: 'channel, theme and variation',
  destinationOwned: [],
  carried: false,
  create: {
    batch: 1,
    call: ([only]) => ({
      method: 'POST',
      path: '/v3/themes/actions/activate',
      ...(only && { query: { channel_id: Number(only.draft.body.channel_id) } }),
      heavy: true,
      prepare: async ({ destination }) => {
        const { theme_uuid, variation } = only?.draft.body ?? {}
        const theme = (await themesAt(destination, {})).find(({ uuid }) => uuid === theme_uuid)
        const found = variationsOf(theme ?? {}).find(({ name }) => name === variation)
        // `last_created` keeps newer settings that were saved at the destination.
        if (found) return { body: { variation_id: found.uuid, which: 'last_created' } }
        return {
          refused: {
            title: 'The theme of the destination has no such variation',
            errors: { variation: `${variation}` },
          },
        }
      },
    }),
    // The response is empty (204).
    results: (_status, _body, desired) =>
      desired.map(({ body, keys: [existing] }) => ({ saved: { ...body, id: existing } })),
  },
  callsPerItem: { write: 1 },
}

const reading: Reading = {
  path: '/v3/themes (active)',
  kind: 'staged',
  limit: 250,
  idField: 'id',
  pages: looks,
  usually: 1,
  walkCalls: { once: 1, perStorefront: 2 },
}

export const themeActivations = defineEntity({
  key,
  label: 'Themes that storefronts show',
  group: 'storefront',
  after: [themesKey],
  scope: 'storefront',
  prune: 'never',
  optIn: ['activate'],
  components: [activation],
  notMoved: [
    {
      what: 'what a storefront of the destination showed before',
      why: 'its theme stays in the store, from where it can be activated again',
    },
  ],
  passes: [
    {
      key,
      label: 'Themes that storefronts show',
      root: key,
      source: reading,
      storefront: ({ channelId }) => ({ channel_id: channelId }),
      destination: { ...reading, complete: true },
      lookupOnly: true,
      drafts: activationDraft,
    },
  ],
})
