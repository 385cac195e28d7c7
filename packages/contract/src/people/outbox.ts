import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { enumSchema } from '../rows/schema.ts';

/** Transport of mails. The same for every address, so that it does not disclose whether there is an account. */
export const mailTransport = enumSchema(
  ['SMTP', 'OUTBOX'],
  'Mail transport: the mail server or, if SMTP_URL is not set, the outbox on this machine, shown at /outbox and by npm run ops -- outbox.',
);

export const outboxEndpoints = {
  getOutboxPage: defineEndpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/outbox',
    summary:
      'List the latest mails if no mail server is configured. Only for browsers on the machine of the control plane; 404 for others.',
    credential: 'none',
    budget: 'address',
    wire: 'page',
    assets: ['/outbox.css'],
    result: Type.String({ description: 'An HTML page.' }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
