import { mailTemplate } from './mail-template.ts';

/** To a member whose address is proved, about one thing that they were told. The link shows it and decides nothing. */
export const notification = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    what: 'Billing agent asks to call payments.refund for 12.50 EUR. Who may decide: admin (2 needed), until 2026-03-08T09:30:00.000Z.',
    link: 'https://governance.example.com/approvals/apr_01K5M0TS2V8Q4ZJ7R9XW3C6B1N',
  },
  subject: 'Something waits for you',
  parts: [
    'In {organization} at {service}: {what}',
    { link: 'link', says: 'Look at it' },
    'The link only shows it and decides nothing. Change which mails you get in your notification settings.',
  ],
});
