import type { Endpoint } from '@svc/contract/rows/endpoint.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { listSecrets, removeSecrets } from '@svc/contract/rows/secret.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { RequestHash } from '@svc/enforcement/facts/request-hash.ts';
import { type Change, type ChangeContext, type ConstraintRefusals, change, isKept, isUndone } from '@svc/postgres/change/change.ts';
import {
  claimIdempotencyKey,
  type FirstAnswer,
  type IdempotencyKey,
  REFUSED,
  storeFirstAnswer,
  storeRefusal,
} from '@svc/postgres/change/idempotency.ts';
import type { Database } from '@svc/postgres/connection/connect.ts';
import { inTenant } from '@svc/postgres/connection/in-tenant.ts';
import { RefusalError } from '../answers/error-to-wire.ts';

/** The stored response to the first request with this key. */
export class Replayed extends Error {
  readonly status: number;
  readonly body: unknown;
  constructor(status: number, body: unknown) {
    super('replayed');
    this.status = status;
    this.body = body;
  }
}

/** True if the first request was this one, also if its hash was stored before hashes were keyed. */
const isSame = ({ request_hash }: FirstAnswer, { keyed, unkeyed }: RequestHash): boolean =>
  [keyed, unkeyed].includes(request_hash.toString('hex'));

const answerAgain = (first: FirstAnswer | 'running', hash: RequestHash): never => {
  if (first === 'running')
    throw new RefusalError(buildRefusal('CONFLICT', 'The first request with this key is still running.', { retry_after_seconds: 1 }));
  if (!isSame(first, hash)) throw new RefusalError(buildRefusal('IDEMPOTENCY_KEY_REUSED'));
  throw new Replayed(first.status, first.body);
};

/** True if the responses of a row contain a secret, cached per schema. */
const secretive = new WeakMap<Endpoint, boolean>();

const holdsSecret = (row: Endpoint): boolean => {
  const known = secretive.get(row) ?? listSecrets(row.result).size > 0;
  secretive.set(row, known);
  return known;
};

/** Replaces secrets with null in the response that is stored for a replay: a secret is shown once. */
export const redactReplay = (row: Endpoint, answer: unknown): unknown =>
  holdsSecret(row) ? removeSecrets(row.result, JSON.parse(JSON.stringify(answer))) : answer;

/** Idempotency key of a caller, with the hash of its request. */
export type IdempotentRequest = Omit<IdempotencyKey, 'request_hash'> & { readonly hash: RequestHash };

/** Runs a change whose response is stored under the caller's key, in the same transaction. */
export const runIdempotently = async <Result>(
  database: Database,
  context: ChangeContext,
  asked: IdempotentRequest,
  row: Endpoint,
  work: (c: Change<never>) => Promise<Result>,
  onConflict: ConstraintRefusals<Refusal> | undefined,
): Promise<unknown> => {
  const { hash, ...named } = asked;
  const key: IdempotencyKey = { ...named, request_hash: Buffer.from(hash.keyed, 'hex') };
  const result = await change(
    database,
    context,
    async (c: Change<never>) => {
      const first = await claimIdempotencyKey(c.tx, key, LIMITS.idempotency.concurrentWaitMs);
      if (first) return answerAgain(first, hash);
      const done = await work(c);
      if (isKept(done)) await storeFirstAnswer(c.tx, key, REFUSED, done.kept);
      else if (!isRefusal(done) && !isUndone(done)) await storeFirstAnswer(c.tx, key, row.status ?? 200, redactReplay(row, done));
      return done;
    },
    onConflict,
  );
  if (isRefusal(result)) await inTenant(database, context.scope, (tx) => storeRefusal(tx, key, result));
  return result;
};
