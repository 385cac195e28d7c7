import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import type { Refusal } from '@svc/contract/rows/refusal.ts';
import type { MaybePromise } from '@svc/contract/rows/soon.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ServeDeps } from '../calls/serve-deps.ts';
import type { RequestPrincipals } from './rate-limit.ts';
import { takeBytes } from './take-bytes.ts';
import { findReachedLimit, takePlace } from './take-place.ts';

/** Takes a slot for an agent, if slots are counted. */
const takeSeat = (
  deps: ServeDeps,
  { agent }: RequestPrincipals,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Refusal | undefined> => {
  if (!deps.places || !agent) return undefined;
  const refused = takePlace(deps.places, agent.organizationId, request, reply);
  const noted = (known: Refusal | undefined): Refusal | undefined => {
    const full = known && findReachedLimit(known);
    if (full) deps.watch?.refused(full);
    return known;
  };
  return refused instanceof Promise ? refused.then(noted) : noted(refused);
};

/** Takes the capacity that an admitted request needs: bytes of its organization for the body, then a slot. */
export const takeRoom = (
  row: Endpoint,
  deps: ServeDeps,
  who: RequestPrincipals,
  request: FastifyRequest,
  reply: FastifyReply,
): MaybePromise<Refusal | undefined> => {
  const goOn = (refused: Refusal | undefined): MaybePromise<Refusal | undefined> => refused ?? takeSeat(deps, who, request, reply);
  const taken = takeBytes(row, deps, who, request.headers);
  return taken instanceof Promise ? taken.then(goOn) : goOn(taken);
};
