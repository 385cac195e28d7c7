import type { EndpointName, Endpoints } from '@svc/contract/endpoints.ts';
import type { EmittedBy, Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { TestResponse } from '@svc/testing/people/client.ts';
import type { NounScene } from './scene.ts';

/** Operations that may change something: everything except reads and operations that never write. */
export type ChangingOperation = {
  [Name in EndpointName]: Endpoints[Name] extends { readonly method: 'GET' } | { readonly writesNothing: 'always' } ? never : Name;
}[EndpointName];

export const isChanging = (row: Endpoint): boolean => row.method !== 'GET' && row.writesNothing !== 'always';

export type EventSubject = { readonly type: string; readonly id: string };
/** An event type and its subject type. */
export type EventKey<Type extends string = string> = readonly [type: Type, subjectType: string, subjectId: string];

/** One request, and every event that it must write, in order. Sent by the owner unless another caller is named. */
export type Play<Type extends string = string> = {
  readonly answer: TestResponse;
  readonly events: readonly EventKey<Type>[];
  readonly by?: EventSubject;
};

/** Requests that together write every event that the row declares; an event of another row does not compile. */
export type Recipe<Name extends EndpointName> = (scene: NounScene) => Promise<readonly Play<EmittedBy<Endpoints[Name]>>[]>;

/** A row without a recipe does not compile. */
export type Recipes<Name extends ChangingOperation = ChangingOperation> = { readonly [Each in Name]: Recipe<Each> };

export const SYSTEM: EventSubject = { type: 'SYSTEM', id: 'system' };
