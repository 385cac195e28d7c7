import { mailTemplate } from './mail-template.ts';

/** To a member, about several notifications; to an unproved address, without names that users chose. */
export const notifications = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    what: '12 actions wait for approval; 1 webhook fails',
    link: 'https://governance.example.com/inbox',
  },
  subject: 'New notifications',
  parts: [
    'In {organization} at {service}: {what}.',
    { link: 'link', says: 'View' },
    'Opening the link does not decide anything. You can choose which mails you receive in your notification preferences.',
  ],
});
