import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { HTML_TYPE, type Page } from '@svc/http/wires/page.ts';
import type { PeopleDeps } from '../deps.ts';
import { builtPages } from './built/built-pages.ts';

const TEXT = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>The pages are not built</title></head> <body><h1>The pages are not built</h1><p>The operator of this service builds them with <code>npm run pages</code>; <code>npm start</code> builds them automatically.</p></body></html>`;
const UNBUILT: Page = { type: HTML_TYPE, bytes: Buffer.from(TEXT), status: 503 };

/** The same for everybody, whatever the path: who is signed in the page asks by itself. */
export const getPage: Handler<Endpoints['getPage'], PeopleDeps> = () => builtPages()?.page ?? UNBUILT;
