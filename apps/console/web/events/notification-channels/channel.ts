import { timeWords } from '../../design/time-words.ts';
import { KIND_NAMES } from '../notifications/kind-names.ts';

/** A notification channel as the plane tells it: never with its URL. */
export type Channel = {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly notices: readonly string[];
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly disabled_reason: 'BY_HAND' | 'FAILING' | 'RECEIVER_GONE' | 'RIGHTS_LOST' | 'HOLDER_CHANGED' | null;
  readonly failing_since: string | null;
  readonly last_error: string | null;
  readonly last_sent_at: string | null;
};

const DISABLED = {
  BY_HAND: 'by hand',
  FAILING: 'because nothing arrived for a day',
  HOLDER_CHANGED: 'because the account of whoever made it is somebody else’s',
  RECEIVER_GONE: 'because the chat answered that it is gone',
  RIGHTS_LOST: 'because whoever vouched for it may make none any more',
};

export const statusWords = ({ status, disabled_reason, failing_since }: Channel): string => {
  if (status === 'DISABLED') return `disabled${disabled_reason === null ? '' : ` ${DISABLED[disabled_reason]}`}`;
  return failing_since === null ? 'active' : `active, and failing since ${timeWords(failing_since)}`;
};

/** How the last message went. */
export const sentWords = ({ last_sent_at, last_error }: Channel): string => {
  const arrived = last_sent_at === null ? 'No message has arrived yet.' : `A message arrived at ${timeWords(last_sent_at)}.`;
  return last_error === null ? arrived : `${arrived} The last one did not: ${last_error}`;
};

export const noticeWords = ({ notices }: Channel): string => notices.map((kind) => KIND_NAMES[kind] ?? kind).join(', ');
