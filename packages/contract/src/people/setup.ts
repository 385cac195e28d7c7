import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';
import { closed } from '../rows/schema.ts';
import { secret } from '../rows/secret.ts';

export const setupEndpoints = {
  getSetupPage: endpoint({
    plane: 'control',
    area: 'people',
    method: 'GET',
    path: '/setup',
    summary: 'The page behind the one-time link of a first start; 410 where the link is used up or none.',
    credential: 'none',
    budget: 'address',
    wire: 'page',
    assets: ['/setup/app.js', '/setup/style.css'],
    query: closed(secret('token', Type.Optional(Type.String({ description: 'The secret of the link.' })))),
    result: Type.String({ description: 'A page for browsers.' }),
    emits: [],
    refuses: [],
  }),
};
