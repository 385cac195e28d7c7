import { mailTemplate } from './mail-template.ts';

/** To a member with a proved address, about one notification. The link shows it and decides nothing. */
export const notification = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    what: 'Billing agent requests approval to call payments.refund for 12.50 EUR. Approvers: admin (2 needed). Expires: 2026-03-08T09:30:00.000Z.',
    link: 'https://governance.example.com/approvals/apr_01K5M0TS2V8Q4ZJ7R9XW3C6B1N',
  },
  subject: 'New notification',
  parts: [
    'In {organization} at {service}: {what}',
    { link: 'link', says: 'View' },
    'Opening the link does not decide anything. You can choose which mails you receive in your notification preferences.',
  ],
});
