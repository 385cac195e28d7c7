import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { oneOf } from '../rows/schema.ts';

/** The same whatever the address is, so that nobody learns from it whether that has an account. */
export const mailTransport = oneOf(
  ['SMTP', 'OUTBOX'],
  'Where mails of this service go: to its mail server; or, as long as none is set (SMTP_URL), into the outbox of its machine, which shows them at /outbox there and by npm run outbox.',
);

export const outboxEndpoints = {
  getOutboxPage: endpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/outbox',
    summary:
      'The latest mails, where no mail server sends them: for browsers on the machine of the control plane, and 404 for everybody else.',
    credential: 'none',
    budget: 'address',
    wire: 'page',
    assets: ['/outbox.css'],
    result: Type.String({ description: 'A page for browsers.' }),
    emits: [],
    refuses: ['NOT_FOUND'],
  }),
};
