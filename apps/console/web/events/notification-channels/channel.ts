import type { OperationResult } from '@svc/client/client-types.ts';
import { formatTime } from '../../design/time-words.ts';
import { KIND_NAMES } from '../notifications/kind-names.ts';

/** A notification channel, without its URL, which is never shown again. */
export type Channel = OperationResult<'getNotificationChannel'>;

const DISABLED: Readonly<Record<NonNullable<Channel['disabled_reason']>, string>> = {
  BY_HAND: 'a member disabled it',
  FAILING: 'all messages failed for a day',
  HOLDER_CHANGED: 'the account of its creator now belongs to another person',
  RECEIVER_GONE: 'the chat service reported that the webhook no longer exists',
  RIGHTS_LOST: 'its creator may no longer create channels',
};

/** Why a channel is disabled, or since when it fails; undefined where it works. */
export const formatTrouble = ({ status, disabled_reason, failing_since }: Channel): string | undefined => {
  if (status === 'DISABLED') return disabled_reason === null ? undefined : `Disabled: ${DISABLED[disabled_reason]}`;
  return failing_since === null ? undefined : `Failing since ${formatTime(failing_since)}`;
};

/** When the last message arrived, and the error of a later one that did not. */
export const formatSent = ({ last_sent_at, last_error }: Channel): string => {
  const arrived = last_sent_at === null ? 'None yet' : formatTime(last_sent_at);
  return last_error === null ? arrived : `${arrived}. The last attempt failed: ${last_error}`;
};

export const formatNoticeWords = ({ notices }: Channel): string => notices.map((kind) => KIND_NAMES[kind] ?? kind).join(', ');
