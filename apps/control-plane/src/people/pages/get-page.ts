import type { Endpoints } from '@svc/contract/endpoints.ts';
import { CONSOLE_ROUTES, type ConsoleRoute } from '@svc/contract/tables/console-routes.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { HTML_TYPE, type StaticPage } from '@svc/http/wires/page.ts';
import type { PeopleDeps } from '../deps.ts';
import { pageForGateway, readBuiltPages } from './built/built-pages.ts';

const TEXT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The pages are not built</title></head> <body><h1>The pages are not built</h1><p>The operator of this service builds them with <code>npm run pages</code>; <code>npm start</code> builds them automatically.</p></body></html>`;
const UNBUILT: StaticPage = { type: HTML_TYPE, bytes: Buffer.from(TEXT), status: 503 };

const CALLING_GATEWAY: ReadonlySet<string> = new Set(
  Object.values(CONSOLE_ROUTES as Readonly<Record<string, ConsoleRoute>>).flatMap(({ path, callsGateway }) => (callsGateway ? [path] : [])),
);

/**
 * Returns the document, which is the same for every path; the page asks who is signed in. Only the policy differs, by what the page
 * connects to.
 */
export const getPage: Handler<Endpoints['getPage'], PeopleDeps> = ({ asset }, { urls }) => {
  const page = readBuiltPages()?.page;
  if (page === undefined) return UNBUILT;
  return asset !== undefined && CALLING_GATEWAY.has(asset) ? pageForGateway(page, urls.gateway) : page;
};
