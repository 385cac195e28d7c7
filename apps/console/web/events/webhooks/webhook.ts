import type { OperationResult } from '@svc/client/client-types.ts';
import { formatTime } from '../../design/time-words.ts';

export type Webhook = OperationResult<'getWebhook'>;
/** A webhook with its signing secret, which only the answer to its creation or rotation holds. */
export type WithSecret = OperationResult<'createWebhook'>;

const DISABLED: Readonly<Record<NonNullable<Webhook['disabled_reason']>, string>> = {
  BY_HAND: 'a member disabled it',
  FAILING: 'all deliveries failed for five days',
  HOLDER_CHANGED: 'the account of its creator now belongs to another person',
  RECEIVER_GONE: 'the receiver returned 410 Gone',
  RIGHTS_LOST: 'its creator may no longer read these events',
};

/** Event types that are subscribed to and that the service does not send yet. */
export const formatWaiting = ({ waiting }: Webhook): readonly string[] =>
  Object.entries(waiting).map(([type, capability]) => `${type} (waits for ${capability})`);

/** Why a webhook is disabled, or since when it fails; undefined where it works. */
export const formatTrouble = ({ status, disabled_reason, failing_since }: Webhook): string | undefined => {
  if (status === 'DISABLED') return disabled_reason === null ? undefined : `Disabled: ${DISABLED[disabled_reason]}`;
  return failing_since === null ? undefined : `Failing since ${formatTime(failing_since)}`;
};
