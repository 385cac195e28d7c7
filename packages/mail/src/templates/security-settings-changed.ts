import { mailTemplate } from './mail-template.ts';

/** To all owners of an organization, when its sign-in settings changed. `what` names settings in the service's own words. */
export const securitySettingsChanged = mailTemplate({
  perHourMax: 20,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Northwind',
    what: 'allowed_networks, require_mfa',
    who: 'Ada Lovelace',
    at: '2026-03-01T09:30:00.000Z',
    source_ip: '203.0.113.7',
  },
  subject: 'Security settings of your organization changed',
  parts: [
    '{who} changed security settings of the organization “{organization}” at {service}: {what}. It was on {at}, from {source_ip}.',
    'You get this mail because you are an owner. If you did not expect this change, sign in and undo it, and end the sessions of the person who made it.',
  ],
});
