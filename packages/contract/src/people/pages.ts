import { Type } from 'typebox';
import { endpoint } from '../rows/endpoint.ts';

const page = {
  plane: 'control',
  area: 'people',
  method: 'GET',
  credential: 'none',
  budget: 'address',
  wire: 'page',
  emits: [],
  refuses: [],
} as const;

export const pageEndpoints = {
  getPage: endpoint({
    ...page,
    path: '/sign-in',
    // One page of many views, which tells them apart by its path.
    assets: [
      '/sign-up',
      '/setup',
      '/reset-password',
      '/invitation',
      '/second-factor',
      '/account',
      '/sessions',
      '/password',
      '/identities',
      '/members',
      '/approvals',
      '/notifications',
      '/notification-channels',
      '/audit',
      '/compliance',
      '/credentials',
      '/webhooks',
      '/cli',
      '/device-approvals',
    ],
    summary:
      'The pages for what a person does in a browser: founding an organization, signing in, looking after sessions and factors, members, approvals, notifications and their channels, the audit record, the compliance report, credentials, webhooks.',
    result: Type.String({ description: 'A page for browsers.' }),
  }),
  getPageFile: endpoint({
    ...page,
    path: '/assets/{asset}',
    summary: 'What these pages load, by names that change with what is in it.',
    cacheSeconds: 31_536_000,
    result: Type.String({ description: 'A script or a style sheet.' }),
    refuses: ['NOT_FOUND'],
  }),
};
