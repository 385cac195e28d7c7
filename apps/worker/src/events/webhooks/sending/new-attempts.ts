import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { TellableEvent } from '@svc/domain/events/webhooks/body.ts';
import { runOrRefuse } from '@svc/http/answers/error-to-wire.ts';
import type { ClaimedDelivery } from '@svc/postgres/events/webhooks/claim-deliveries.ts';
import type { Logger } from 'pino';
import { readEvent, type SendDeps, type SentDelivery, sendDelivery } from './send-delivery.ts';
import type { FinishedDelivery } from './settle-ended.ts';

export type AttemptsDeps = SendDeps & {
  readonly log: Logger;
  /** Returns why a delivery may not be attempted, by the scope of its subscription and the permissions behind it. */
  readonly faultOf: (delivery: ClaimedDelivery) => string | undefined;
  /** Called for each ended attempt. */
  readonly onEnd: (ended: FinishedDelivery) => void;
};

const EGRESS_OFF = 'Egress is disabled (GATEWAY_ALLOW_REAL_EGRESS is false): the delivery was not attempted.';
const EVENT_GONE = 'The event is no longer in the record.';
const BROKE_OFF = 'The delivery failed. See the log of the service for the reason.';

/** A failure here, such as a secret that cannot be opened, is a failed attempt like any other, and logged. */
const readAttempt = async (deps: AttemptsDeps, delivery: ClaimedDelivery, event: TellableEvent): Promise<SentDelivery> => {
  const sent = await runOrRefuse(
    () => sendDelivery(deps, delivery, event),
    (err) =>
      deps.log.error({ err, delivery_id: delivery.id, organization_id: delivery.organization_id }, 'a webhook could not be delivered'),
  );
  if (!isRefusal(sent)) return sent;
  const at = deps.clock().toISOString();
  const attempt = { attempt: delivery.attempt, at, duration_ms: 0, response_status: null, reason: BROKE_OFF, excerpt: null };
  return { attempt, asked: null };
};

/** Attempts that ended and are not stored yet. */
const newUnsettled = (onEnd: AttemptsDeps['onEnd']) => {
  let ended: FinishedDelivery[] = [];
  return {
    end: (one: FinishedDelivery): void => {
      ended.push(one);
      onEnd(one);
    },
    hasEnded: (): boolean => ended.length > 0,
    /** Returns those that ended since the last call; what could not be stored is returned again. */
    takeEnded: (): readonly FinishedDelivery[] => {
      const taken = ended;
      ended = [];
      return taken;
    },
    giveBack: (taken: readonly FinishedDelivery[]): void => {
      ended = [...taken, ...ended];
    },
  };
};

/** Running attempts, and those that ended and are not stored yet. */
export const newAttempts = (deps: AttemptsDeps) => {
  const { faultOf, onEnd } = deps;
  const underWay = new Map<string, Promise<void>>();
  const { end, ...unsettled } = newUnsettled(onEnd);
  let isClosing = false;
  const begin = (delivery: ClaimedDelivery): void => {
    const event = readEvent(delivery);
    const fault = deps.egress.disabledFor(delivery) === undefined ? faultOf(delivery) : EGRESS_OFF;
    if (fault !== undefined || event === undefined) {
      end({ delivery, attempt: null, reason: fault ?? EVENT_GONE });
      return;
    }
    const done = readAttempt(deps, delivery, event).then((sent) => {
      underWay.delete(delivery.id);
      // An attempt aborted here says nothing about the receiver: another worker has it once the lease expires.
      if (!isClosing || sent.attempt.reason === null) end({ delivery, ...sent });
    });
    underWay.set(delivery.id, done);
  };
  return {
    begin,
    count: (): number => underWay.size,
    ...unsettled,
    whenDone: async (): Promise<void> => {
      await Promise.all(underWay.values());
    },
    /** Aborts running attempts. */
    close: async (): Promise<void> => {
      isClosing = true;
      await deps.egress.close();
      await Promise.all(underWay.values());
    },
  };
};
