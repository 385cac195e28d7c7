import { mailTemplate } from './mail-template.ts';

/** To somebody who is asked to join an organization. Its names were chosen by people there, and are told as theirs. */
export const invitation = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Northwind',
    inviter: 'Ada Lovelace',
    role: 'approver',
    days: '7',
    link: 'https://governance.example.com/invitation#code=svc_inv_314159',
  },
  subject: 'You are invited to an organization',
  parts: [
    '{inviter} invites you to join the organization “{organization}” at {service}, in the role “{role}”.',
    { link: 'link', says: 'Look at the invitation and join' },
    'The link is good for {days} days, once, and for this address alone. If you do not know who invites you, do nothing: without it nothing is made.',
  ],
});
