import { mailTemplate } from './mail-template.ts';

/** To who made an API key and to the owners of its organization, once, before it ends. */
export const apiKeyExpiring = mailTemplate({
  perHourMax: 20,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    key: 'Deployments',
    key_id: 'apk_01JXA4T0000000000000000ABC',
    expires_at: '2026-03-08T09:30:00.000Z',
  },
  subject: 'An API key is about to expire',
  parts: [
    'The API key {key} ({key_id}) of {organization} at {service} expires on {expires_at}. What uses it is refused from then on.',
    'If it is still needed, rotate it with a new expiry, or make another key. If it is not, you need do nothing.',
  ],
});
