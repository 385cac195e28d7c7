import { buildRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import type { Full, PlaceSemaphore, Ticket } from '@svc/fairness/semaphore/place-semaphore.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** Slot among running requests; null if there is no queue. */
    place: RequestSlot | null;
    /** True if it gave its slot up, to wait for something that is bounded elsewhere. */
    hasRested: boolean;
  }
}

/** A slot that is returned once: by the handler when it ends, or if the request never reached one. */
export type RequestSlot = Ticket & { isHandled: boolean; isGivenUp: boolean };

const RETRY_AFTER_SECONDS = 1;

const REFUSALS: Readonly<Record<Full, Refusal>> = {
  holder: buildRefusal('RATE_LIMITED', 'Your organization has too many requests in progress. Wait and try again.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  }),
  everybody: buildRefusal('DEPENDENCY_UNAVAILABLE', 'The service is overloaded, and the request was not started. Try again.', {
    retry_after_seconds: RETRY_AFTER_SECONDS,
  }),
};

/** Its slot came too late several times. */
export const TOO_LATE = REFUSALS.everybody;

/** The caller disconnected before anything began, so no one receives this. */
export const GONE = buildRefusal('INVALID_REQUEST', 'The request was cancelled.');

const sitDown = (entered: Ticket | Full, request: FastifyRequest, reply: FastifyReply): Refusal | undefined => {
  if (typeof entered === 'string') return REFUSALS[entered];
  if (reply.raw.closed) {
    entered.leave();
    return GONE;
  }
  const place: RequestSlot = { beginCall: entered.beginCall, leave: entered.leave, isHandled: false, isGivenUp: false };
  request.place = place;
  reply.raw.on('close', () => {
    if (place.isHandled) return;
    place.isGivenUp = true;
    place.leave();
  });
  return undefined;
};

/** Returns which limit was reached, for a refusal without a slot. */
export const findReachedLimit = (refused: Refusal): 'place' | 'place_of_organization' | undefined => {
  if (refused === REFUSALS.holder) return 'place_of_organization';
  return refused === REFUSALS.everybody ? 'place' : undefined;
};

/** Takes a slot for a request before its body is read, waiting in the queue if needed; what exceeds the capacity is shed. */
export const takePlace = (
  places: PlaceSemaphore,
  organizationId: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Refusal | undefined | Promise<Refusal | undefined> => {
  const entered = places.enter(organizationId);
  return entered instanceof Promise ? entered.then((ticket) => sitDown(ticket, request, reply)) : sitDown(entered, request, reply);
};
