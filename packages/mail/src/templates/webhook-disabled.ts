import { mailTemplate } from './mail-template.ts';

/** To those who may put a webhook subscription right, when it delivers nothing any more. */
export const webhookDisabled = mailTemplate({
  perHourMax: 20,
  sample: {
    service: 'https://governance.example.com',
    organization: 'Example Ltd',
    webhook: 'Billing',
    webhook_id: 'whs_01JXA4T0000000000000000ABC',
    reason: 'none of its deliveries has arrived for five days',
  },
  subject: 'A webhook was disabled',
  parts: [
    'The webhook {webhook} ({webhook_id}) of {organization} at {service} was disabled: {reason}. Nothing is delivered to its receiver until somebody puts it back.',
    'Look at its deliveries, put the receiver right, set its status to ACTIVE, and have what failed meanwhile delivered again.',
  ],
});
