import { mailTemplate } from './mail-template.ts';

/** To a member, about several things that they were told; to an address that nobody proved, without a name that anybody chose. */
export const notifications = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    what: '12 actions wait for approval; 1 webhook fails',
    link: 'https://governance.example.com/inbox',
  },
  subject: 'Several things wait for you',
  parts: [
    'In {organization} at {service}: {what}.',
    { link: 'link', says: 'Look at them' },
    'The link only shows them and decides nothing. Change which mails you get in your notification settings.',
  ],
});
