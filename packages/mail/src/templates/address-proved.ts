import { mailTemplate } from './mail-template.ts';

/** To the address of an account that somebody made before its owner did, when its owner has proved it. */
export const addressProved = mailTemplate({
  perHourMax: 3,
  sample: { service: 'https://governance.example.com', proved_at: '2026-03-01T09:30:00.000Z', source_ip: '203.0.113.7' },
  subject: 'Your account is yours alone now',
  parts: [
    'An account with this address was made at {service} before anybody had shown that the address is theirs. On {proved_at} that was shown, from {source_ip}.',
    'Whatever was enrolled before has ended: the password, second factors, recovery codes, sessions, terminals and linked identities. Set yours anew.',
    'Webhooks that were made with it deliver nothing any more: look where each of them leads before you put it back.',
    'If the account has organizations that you do not know, somebody else founded them in your name: look who and what is in them before you use them, or delete them.',
  ],
});
