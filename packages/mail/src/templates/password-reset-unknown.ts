import { mailTemplate } from './mail-template.ts';

/** To an address without an account, when a password reset is requested for it: its owner may have signed up with another address. */
export const passwordResetUnknown = mailTemplate({
  perHourMax: 2,
  sample: { service: 'https://governance.example.com', source_ip: '203.0.113.7' },
  subject: 'Password reset requested for an unknown address',
  parts: [
    'A new password was requested at {service} for this address, from {source_ip}. There is no account with it, so nothing was changed.',
    'If this was you, try the address that you signed up with. If not, ignore this mail.',
  ],
});
