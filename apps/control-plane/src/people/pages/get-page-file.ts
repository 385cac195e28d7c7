import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { PeopleDeps } from '../deps.ts';
import { readBuiltPages } from './built/built-pages.ts';

export const getPageFile: Handler<Endpoints['getPageFile'], PeopleDeps> = ({ params, refuse }) =>
  readBuiltPages()?.files.get(params.asset) ?? refuse('NOT_FOUND');
