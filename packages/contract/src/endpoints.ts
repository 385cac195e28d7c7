import { ACTIONS } from './actions/endpoints.ts';
import { AGENTS } from './agents/endpoints.ts';
import { CREDENTIALS } from './credentials/endpoints.ts';
import { EVENTS } from './events/endpoints.ts';
import { INCIDENTS } from './incidents/endpoints.ts';
import { MONEY } from './money/endpoints.ts';
import { PEERS } from './peers/endpoints.ts';
import { PEOPLE } from './people/endpoints.ts';
import { POLICIES } from './policies/endpoints.ts';
import { RISK } from './risk/endpoints.ts';
import type { Endpoint } from './rows/endpoint.ts';
import { RUNTIMES } from './runtimes/endpoints.ts';
import { SERVICE } from './service/endpoints.ts';
import { TENANCY } from './tenancy/endpoints.ts';
import { TOOLS } from './tools/endpoints.ts';

/** Every endpoint of both planes, by operation name. An area joins its nouns in a file of its own. */
export const ENDPOINTS = {
  ...SERVICE,
  ...TENANCY,
  ...PEOPLE,
  ...AGENTS,
  ...TOOLS,
  ...CREDENTIALS,
  ...POLICIES,
  ...ACTIONS,
  ...MONEY,
  ...EVENTS,
  ...PEERS,
  ...INCIDENTS,
  ...RISK,
  ...RUNTIMES,
} as const satisfies Record<string, Endpoint>;

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;
export type PlaneOperation<Plane extends Endpoint['plane']> = {
  [Name in EndpointName]: Endpoints[Name]['plane'] extends Plane ? Name : never;
}[EndpointName];
