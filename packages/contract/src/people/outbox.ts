import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';

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
