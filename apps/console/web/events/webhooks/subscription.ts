import { timeWords } from '../../design/time-words.ts';

/** A subscription as the plane tells it. */
export type Subscription = {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly waiting: Readonly<Record<string, string>>;
  readonly workspace_id: string | null;
  readonly environment_id: string | null;
  readonly body_format: string;
  readonly status: 'ACTIVE' | 'DISABLED';
  readonly disabled_reason: 'BY_HAND' | 'FAILING' | 'RIGHTS_LOST' | 'HOLDER_CHANGED' | 'RECEIVER_GONE' | null;
  readonly failing_since: string | null;
  readonly previous_secret_ends_at: string | null;
};

/** With its secret, which is told this once. */
export type WithSecret = Subscription & { readonly secret: string | null };

const DISABLED = {
  BY_HAND: 'by hand',
  FAILING: 'because nothing arrived for five days',
  HOLDER_CHANGED: 'because the account of whoever made it is somebody else’s',
  RECEIVER_GONE: 'because its receiver answered that it is gone',
  RIGHTS_LOST: 'because whoever vouched for it may read that no longer',
};

/** Types that are subscribed to and do not come yet. */
export const waitingWords = ({ waiting }: Subscription): readonly string[] =>
  Object.entries(waiting).map(([type, capability]) => `${type}, which waits for ${capability}`);

export const statusWords = ({ status, disabled_reason, failing_since }: Subscription): string => {
  if (status === 'DISABLED') return `disabled${disabled_reason === null ? '' : ` ${DISABLED[disabled_reason]}`}`;
  return failing_since === null ? 'active' : `active, and failing since ${timeWords(failing_since)}`;
};
