import { Type } from 'typebox';
import { defineEndpoint } from '../rows/endpoint.ts';
import { CONSOLE_PATHS, CONSOLE_ROUTES } from '../tables/console-routes.ts';

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
  getPage: defineEndpoint({
    ...page,
    path: CONSOLE_ROUTES.signIn.path,
    // One document serves every page of the console; its script routes by the path.
    assets: CONSOLE_PATHS.filter((each) => each !== CONSOLE_ROUTES.signIn.path),
    summary: 'Get a page of the console.',
    result: Type.String({ description: 'An HTML page.' }),
  }),
  getPageFile: defineEndpoint({
    ...page,
    path: '/assets/{asset}',
    summary: 'Get an asset of these pages; its name contains a hash of its content.',
    cacheSeconds: 31_536_000,
    media: ['text/javascript', 'text/css'],
    result: Type.String({ description: 'A script or a style sheet.' }),
    refuses: ['NOT_FOUND'],
  }),
};
