import type { StaticPage } from '@svc/http/wires/page.ts';

const NOTHING = Buffer.alloc(0);

/** Redirects a browser. */
export const redirect = (location: string): StaticPage => ({ type: 'text/plain; charset=utf-8', bytes: NOTHING, status: 303, location });

/** Formats a response for a program that follows redirects itself. */
export const formatJsonPage = (value: unknown): StaticPage => ({
  type: 'application/json; charset=utf-8',
  bytes: Buffer.from(JSON.stringify(value), 'utf8'),
});
