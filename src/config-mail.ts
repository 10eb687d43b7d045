import { z } from 'zod'
import { smtpUrl } from './config-address.ts'

/** Part of the table in `config.ts`. */
export const mailSettings = {
  SMTP_URL: {
    schema: smtpUrl,
    fallback: 'none',
    about:
      'Mail server for links to a new password and notifications: smtp://user:password@host:587, which must offer STARTTLS unless it is on this machine, or smtps://user:password@host. Without one, people ask an owner or an administrator for such a link.',
    secret: true,
  },
  STOREFERRY_MAIL_FROM: {
    schema: z.email('give an email address'),
    fallback: 'storeferry@ and the host of STOREFERRY_URL',
    about: 'Address that mails of the service come from; the mail server of SMTP_URL has to accept it.',
  },
} as const
