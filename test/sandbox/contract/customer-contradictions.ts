import type { Contradiction } from './contradiction.ts'

const ALL = '/v3/customers'

/** Places of the published customers and subscribers files. */
export const customerContradictions: Contradiction[] = [
  {
    reason:
      'The file leaves refusals of this call out, or has them beside it; the sandbox answers with the common envelope.',
    places: [
      `DELETE ${ALL} 401 (status)`,
      `GET ${ALL}/addresses 422 (status)`,
      `DELETE ${ALL}/addresses 422 (status)`,
      `GET ${ALL}/attributes 422 (status)`,
      `DELETE ${ALL}/attributes 422 (status)`,
      `GET ${ALL}/attribute-values 422 (status)`,
      `DELETE ${ALL}/attribute-values 422 (status)`,
      `GET ${ALL}/:customerId/consent 404 (status)`,
      `PUT ${ALL}/:customerId/consent 404 (status)`,
      `GET ${ALL}/settings 401 (status)`,
      `PUT ${ALL}/settings 422 (status)`,
      `GET ${ALL}/settings/channels/:channelId 404 (status)`,
      `PUT ${ALL}/settings/channels/:channelId 404 (status)`,
      `GET ${ALL}/subscribers 422 (status)`,
      `DELETE ${ALL}/subscribers 401 (status)`,
      `DELETE ${ALL}/subscribers/:subscriberId 401 (status)`,
      `GET ${ALL}/:customerId/metafields 404 (status)`,
      `POST ${ALL}/:customerId/metafields 404 (status)`,
      `PUT ${ALL}/:customerId/metafields/:metafieldId 422 (status)`,
      `GET ${ALL}/metafields 422 (status)`,
    ],
  },
  {
    reason: 'The examples of the same answers have it.',
    places: [
      `GET ${ALL}/settings 200 data.privacy_settings.ask_shopper_for_tracking_consent_on_checkout`,
      `PUT ${ALL}/settings 200 data.privacy_settings.ask_shopper_for_tracking_consent_on_checkout`,
      `GET ${ALL}/settings/channels/:channelId 200 data.privacy_settings.ask_shopper_for_tracking_consent_on_checkout`,
      `PUT ${ALL}/settings/channels/:channelId 200 data.privacy_settings.ask_shopper_for_tracking_consent_on_checkout`,
      `PUT ${ALL}/settings/channels/:channelId 200 data.allow_global_logins`,
    ],
  },
  {
    reason: 'The description of the call says that null stands for what the channel does not say itself.',
    places: [
      `GET ${ALL}/settings/channels/:channelId 200 data.privacy_settings.ask_shopper_for_tracking_consent`,
      `GET ${ALL}/settings/channels/:channelId 200 data.privacy_settings.policy_url`,
      `GET ${ALL}/settings/channels/:channelId 200 data.customer_group_settings.guest_customer_group_id`,
      `GET ${ALL}/settings/channels/:channelId 200 data.customer_group_settings.default_customer_group_id`,
    ],
  },
  {
    reason: 'Metafields of other owners have it, in the list of all metafields of this file too.',
    places: [
      `GET ${ALL}/:customerId/metafields 200 data[].owner_client_id`,
      `GET ${ALL}/:customerId/metafields/:metafieldId 200 data.owner_client_id`,
      `GET ${ALL}/:customerId/metafields 200 meta.cursor_pagination`,
    ],
  },
  {
    reason: 'The schema is that of the calls for many metafields; this one makes or changes one, as for other owners.',
    places: [
      `POST ${ALL}/:customerId/metafields 200 data`,
      `PUT ${ALL}/:customerId/metafields/:metafieldId 200 data`,
      `PUT ${ALL}/:customerId/metafields/:metafieldId request id`,
    ],
  },
  {
    reason: 'The file leaves out the body of this DELETE; that of every other kind of metafield is a list of ids.',
    places: [`DELETE ${ALL}/metafields request (body)`],
  },
]
