import { ROUTE_METHODS } from '@svc/contract/tools/tool-routes.ts';
import { type Fits, isText, matchWords } from './unfit-row.ts';

const isMethod = matchWords(ROUTE_METHODS);

const isRoute: Fits = (value) => {
  if (typeof value !== 'object' || value === null) return false;
  const { mapping, method, path } = value as Readonly<Record<string, unknown>>;
  return isText(mapping) && isMethod(method) && isText(path);
};

/** True for routes of a tool as the service writes them. */
export const isRouteList: Fits = (value) => Array.isArray(value) && value.every(isRoute);
