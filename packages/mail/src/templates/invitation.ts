import { mailTemplate } from './mail-template.ts';

/** To a user who is invited to an organization. People there chose its names, and the mail presents them as theirs. */
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
  subject: 'Invitation to join an organization',
  parts: [
    '{inviter} invites you to join the organization “{organization}” at {service}, in the role “{role}”.',
    { link: 'link', says: 'View the invitation' },
    'The link works once, for this address only, and expires in {days} days. If you do not know the sender, ignore this mail: no account is created.',
  ],
});
