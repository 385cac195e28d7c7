import { mailTemplate } from './mail-template.ts';

/** To the owners and administrators of an organization, when an API key invites a user in a role that only people may give. */
export const invitationToConfirm = mailTemplate({
  perHourMax: 10,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Northwind',
    email: 'grace@northwind',
    role: 'admin',
    key: 'terraform',
    days: '7',
    link: 'https://governance.example.com/settings/members',
  },
  subject: 'Invitation to confirm',
  parts: [
    'The API key “{key}” invites {email} to the organization “{organization}” at {service}, in the role “{role}”. An API key cannot assign this role without confirmation.',
    { link: 'link', says: 'Confirm or withdraw the invitation' },
    'If it is not confirmed within {days} days, it expires and nothing is sent. If you do not recognize it, withdraw it and revoke the key.',
  ],
});
