import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '../../nouns/scene/reads.ts';

export type EventValues = {
  readonly type: string;
  readonly data: { readonly before?: unknown; readonly after?: unknown; readonly patch?: unknown };
};

/** Members that derive from others or from time, and are no change of their own. */
const FOLLOWING: ReadonlySet<string> = new Set([
  ...(['updated_at', 'version', 'sent_at', 'last_used_at'] as const),
  // The next run of a runtime and its last one are resources of their own.
  ...(['last_run', 'next_verification_at'] as const),
]);

/** Other names of members in events: added or removed list entries, the operation of a state, the number of something stored elsewhere. */
const TOLD_BY: Readonly<Record<string, readonly string[]>> = {
  active_version: ['active_version_number'],
  allows: ['permissions'],
  approvable: ['status'],
  authorized_agent_ids: ['authorized', 'withdrawn'],
  bindings: ['target_id'],
  connection: ['health', 'base_url', 'status'],
  decidable: ['status'],
  enforcement: ['operation'],
  operated: ['operation'],
  listing_checked_at: ['listed'],
  status_reason: ['reason'],
  tools: ['tool_status', 'added', 'accepted'],
  capabilities: ['capability'],
  decided_at: ['status'],
  ended_at: ['status'],
  ended_reason: ['reason'],
  passport_version: ['version'],
  paused_at: ['paused'],
  previous_secret_ends_at: ['previous_ends_at'],
  public_key: ['public_key_thumbprint'],
  revoked_reason: ['reason'],
  questions: ['question_number'],
  role: ['role_id'],
  status: ['active_version_number'],
  versions: ['version_number', 'active_version_number'],
};

const isObject = (value: unknown): value is Resource => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A resource that an event names is compared by its id. */
const asTold = (told: unknown, read: unknown): unknown => (typeof told === 'string' && isObject(read) ? read.id : read);

/** Asserts that a value in an event equals what was read. */
const assertTrue = (told: unknown, read: Resource | null | undefined, what: string): void => {
  if (!isObject(told) || !read) return;
  for (const [member, value] of Object.entries(told))
    if (Object.hasOwn(read, member) && value !== '[masked]') assert.deepEqual(value, asTold(value, read[member]), `${what}: ${member}`);
};

/** Asserts that events of a change state what reading the resource returned before and after; and that they state every difference. */
export const assertEventValues = (
  events: readonly EventValues[],
  read: { readonly before: Resource | null | undefined; readonly after: Resource | null | undefined },
  what: string,
  /** Events of the same request about other resources, such as the passport of an agent. */
  beside: readonly EventValues[] = [],
): void => {
  for (const { type, data } of events) {
    assertTrue(data.before, read.before, `${type} before, of ${what}`);
    assertTrue(data.after, read.after, `${type} after, of ${what}`);
  }
  const { before, after } = read;
  if (!before || !after) return;
  const changed = Object.keys(after).filter((member) => !FOLLOWING.has(member) && !isDeepStrictEqual(before[member], after[member]));
  const told = JSON.stringify([...events, ...beside].map(({ data }) => data));
  const isTold = (word: string) => told.includes(`"${word}":`) || told.includes(`"/${word}`);
  const silent = changed.filter((member) => ![member, ...(TOLD_BY[member] ?? [])].some(isTold));
  assert.deepEqual(silent, [], `changed and told by no event, of ${what}`);
};
