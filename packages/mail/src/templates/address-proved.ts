import { mailTemplate } from './mail-template.ts';

/** To the address of an account that another person created before its owner did, when the owner has proved the address. */
export const addressProved = mailTemplate({
  perHourMax: 3,
  sample: { service: 'https://governance.example.com', proved_at: '2026-03-01T09:30:00.000Z', source_ip: '203.0.113.7' },
  subject: 'Your address was verified and your account was reset',
  parts: [
    'An account with this address was created at {service} before the address was verified. On {proved_at} it was verified from {source_ip}.',
    'Everything set up before has been removed: the password, second factors, recovery codes, sessions, terminals and linked identities. Set up your own.',
    'Webhooks that were created with the account no longer deliver. Check the URL of each before you enable it again.',
    'If the account has organizations that you do not know, another person created them with your address. Check their members and content before you use them, or delete them.',
  ],
});
