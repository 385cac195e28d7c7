import type { A2aCard, A2aCheck, A2aCheckName, A2aProof } from '@svc/contract/peers/a2a/a2a-connections.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Egress } from '@svc/egress/create-egress.ts';
import type { EgressRequest } from '@svc/egress/requests/egress-request.ts';
import { randomHex } from '@svc/keyring/bytes/random-hex.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { type CardKey, findChallengeFault, readCardKey, verifyCardSignatures } from '@svc/keyring/tokens/card-signature.ts';
import { isCardFault, readCard } from '@svc/peers/a2a/card/read-card.ts';
import { explainUnanswered } from '@svc/peers/mcp/upstream/failures.ts';
import { answerText, isMembers, parseJson } from '@svc/peers/mcp/upstream/messages.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import {
  type A2aConnectionRow,
  findA2aConnection,
  lockA2aConnection,
  updateA2aConnectionRow,
} from '@svc/postgres/peers/a2a/a2a-connections.ts';
import type { CallContext } from '../../people/auth/acting.ts';
import { hasFreshStepUp, stepUpRefusal } from '../../people/auth/step-up.ts';

type Emitted = 'a2a.passport_verified' | 'a2a.connection_updated';

/** Runs work in a transaction of its own, with its events. */
type Changing = <Result>(work: (change: Change<Emitted>) => Promise<Result>) => Promise<Result | Refusal>;

type Verifying = CallContext & {
  readonly connectionId: string;
  readonly release: string | undefined;
  readonly steppedUpUntil: string | null;
};

/** `gatewayUrl` is the audience of challenges. */
export type VerifyDeps = { readonly egress: Egress; readonly gatewayUrl: string };

const { formerCardsMax } = LIMITS.a2a;
const BLOCKED = 'The connection is blocked. Send release with the reason to use it again.';
const STEP_UP = 'A person re-authenticates to release a blocked connection.';

const stateRefusal = ({ status }: A2aConnectionRow, { release, actor, now, steppedUpUntil }: Verifying) => {
  if (status !== 'BLOCKED') return undefined;
  const details = { operation: 'verify', from: status, allowed_from: ['PENDING', 'VERIFIED', 'STALE'] };
  if (release === undefined) return buildRefusal('INVALID_STATE_TRANSITION', BLOCKED, details);
  return hasFreshStepUp({ actor, steppedUpUntil }, now) ? undefined : stepUpRefusal({ actor }, STEP_UP);
};

type Fetched = { readonly text: string } | { readonly explanation: string; readonly isTimeout: boolean };

const fetchText = async (egress: Egress, request: EgressRequest): Promise<Fetched> => {
  const disabled = egress.disabledFor({ url: request.url });
  if (disabled !== undefined) return { explanation: disabled, isTimeout: false };
  const result = await egress.call(request);
  if (result.kind !== 'answered' && result.kind !== 'answered_large')
    return { explanation: explainUnanswered(result).explanation, isTimeout: result.kind === 'timeout' };
  const answer = answerText(result);
  if (typeof answer === 'string') return { explanation: 'The answer is too large to be read.', isTimeout: false };
  if (answer.status >= 300 && answer.status < 400)
    return { explanation: `The address redirects (status ${answer.status}), and redirects are not followed.`, isTimeout: false };
  return answer.status === 200
    ? { text: answer.text }
    : { explanation: `The address answered with status ${answer.status}.`, isTimeout: false };
};

/** The result of all checks. `failed` is the first that failed; later ones were not made. */
type Judged = {
  readonly checks: readonly A2aCheck[];
  readonly failed?: { readonly check: A2aCheckName; readonly explanation: string; readonly isTimeout: boolean };
  readonly found?: { readonly card: A2aCard; readonly proof: A2aProof; readonly kid: string };
};

const readKeys = ({ keys }: A2aConnectionRow): readonly CardKey[] =>
  keys.flatMap((jwk) => {
    const read = readCardKey(jwk);
    return read.ok ? [read.key] : [];
  });

/** Lets the remote agent sign a fresh nonce. Returns a fault, or undefined. */
const askChallenge = async (connection: A2aConnectionRow, url: string, keys: readonly CardKey[], { egress, gatewayUrl }: VerifyDeps) => {
  const expected = { nonce: randomHex(32), audience: gatewayUrl };
  const body = JSON.stringify({ ...expected, connection_id: connection.id });
  const fetched = await fetchText(egress, {
    ...{ method: 'POST', url, tenant: connection.organization_id, body },
    headers: { 'content-type': 'application/json', accept: 'application/json' },
  });
  if (!('text' in fetched)) return fetched.explanation;
  const answer = parseJson(fetched.text);
  return findChallengeFault(isMembers(answer) ? answer.jws : undefined, keys, expected);
};

const NO_CHALLENGE = 'The card offers no challenge, so only the signature of the card proves who the remote agent is.';

/** Makes the checks in order. Nothing of a card that fails one is used. */
const judge = async (connection: A2aConnectionRow, deps: VerifyDeps): Promise<Judged> => {
  const checks: A2aCheck[] = [];
  const passed = (check: A2aCheckName, explanation: string): void => {
    checks.push({ check, ok: true, explanation });
  };
  const failed = (check: A2aCheckName, explanation: string, isTimeout = false): Judged => ({
    checks: [...checks, { check, ok: false, explanation }],
    failed: { check, explanation, isTimeout },
  });
  const { card_url: url, organization_id: tenant, former_cards } = connection;
  const fetched = await fetchText(deps.egress, {
    method: 'GET',
    url,
    tenant,
    headers: { accept: 'application/json', 'a2a-version': '1.0' },
  });
  if (!('text' in fetched)) return failed('REACHABLE', fetched.explanation, fetched.isTimeout);
  passed('REACHABLE', 'The card was read.');
  const read = readCard(fetched.text, new URL(url));
  if (isCardFault(read)) return failed(read.check, read.explanation);
  const { challengeUrl, signatures, signedTexts, ...facts } = read;
  passed('CARD', `The card of ${read.name}, version ${read.version}.`);
  passed('INTERFACE', `Messages are sent to ${read.url}.`);
  const keys = readKeys(connection);
  const signed = verifyCardSignatures(signatures, signedTexts, keys);
  if ('fault' in signed) return failed('SIGNATURE', signed.fault);
  passed('SIGNATURE', `Signed with the registered key ${signed.kid}.`);
  const hash = sha256Hex(fetched.text);
  if (former_cards.includes(hash)) return failed('NEWNESS', 'The card was replaced by a newer one before, and is not accepted again.');
  passed('NEWNESS', connection.card?.hash === hash ? 'The card is the known one.' : 'The card was not seen before.');
  if (challengeUrl === null) {
    passed('CHALLENGE', NO_CHALLENGE);
    return { checks, found: { card: { ...facts, hash }, proof: 'CARD', kid: signed.kid } };
  }
  const fault = await askChallenge(connection, challengeUrl, keys, deps);
  if (fault !== undefined) return failed('CHALLENGE', fault);
  passed('CHALLENGE', 'The remote agent signed a challenge.');
  return { checks, found: { card: { ...facts, hash }, proof: 'CARD_AND_CHALLENGE', kid: signed.kid } };
};

const CHANGED = buildRefusal('INVALID_STATE_TRANSITION', 'The connection was changed while it was verified. Verify it again.', {
  operation: 'verify',
});

/** Puts the verified card in use. */
const settle = async (
  { tx, emit }: Change<Emitted>,
  { scope, actor, now, release, connectionId, ...rest }: Verifying,
  { checks, found, judged }: Judged & { readonly found: NonNullable<Judged['found']>; readonly judged: A2aConnectionRow },
) => {
  const { organization_id } = scope;
  const before = await lockA2aConnection(tx, organization_id, connectionId);
  if (!before) return buildRefusal('NOT_FOUND');
  // A concurrent block stays, unless it is the one that a person releases.
  const refused = stateRefusal(before, { scope, actor, now, release, connectionId, ...rest });
  if (refused) return refused;
  const { card, proof, kid } = found;
  const isOther = before.key_series !== judged.key_series || before.card_url !== judged.card_url;
  if (isOther || before.former_cards.includes(card.hash)) return CHANGED;
  const former = before.card === null || before.card.hash === card.hash ? before.former_cards : [before.card.hash, ...before.former_cards];
  await updateA2aConnectionRow(tx, organization_id, connectionId, {
    ...{ status: 'VERIFIED', status_reason: null, proof, card: JSON.stringify(card), former_cards: former.slice(0, formerCardsMax) },
    ...{ verified_key: kid, verified_at: now, verified_by: actor.id, checks: JSON.stringify(checks), updated_at: now },
  });
  const data = { name: before.name, key: kid, proof, card_hash: card.hash, previous_card_hash: before.card?.hash ?? null, url: card.url };
  emit('a2a.passport_verified', {
    ...about.a2a_connection(before),
    data: { ...data, before: { status: before.status }, after: { status: 'VERIFIED' } },
  });
  if (before.status === 'BLOCKED')
    emit('a2a.connection_updated', {
      ...about.a2a_connection(before),
      severity: 'warning',
      data: { name: before.name, before: { status: 'BLOCKED' }, after: { status: 'VERIFIED' }, reason: release ?? '' },
    });
  return (await findA2aConnection(tx, organization_id, connectionId)) ?? buildRefusal('NOT_FOUND');
};

/** Stores the checks of a failed verification. A connection in use is no longer used, unless only its card could not be read. */
const noteFailure = async (
  { tx, emit }: Change<Emitted>,
  { scope, now, connectionId }: Verifying,
  { checks, failed }: Judged & { readonly failed: NonNullable<Judged['failed']> },
) => {
  const { organization_id } = scope;
  const before = await lockA2aConnection(tx, organization_id, connectionId);
  if (!before) return buildRefusal('NOT_FOUND');
  const isStale = before.status === 'VERIFIED' && failed.check !== 'REACHABLE';
  const stale = isStale ? ({ status: 'STALE', status_reason: failed.explanation } as const) : {};
  await updateA2aConnectionRow(tx, organization_id, connectionId, { ...stale, checks: JSON.stringify(checks), updated_at: now });
  if (isStale)
    emit('a2a.connection_updated', {
      ...about.a2a_connection(before),
      severity: 'warning',
      data: {
        name: before.name,
        before: { status: 'VERIFIED' },
        after: { status: 'STALE' },
        check: failed.check,
        reason: failed.explanation,
      },
    });
  return undefined;
};

const failureRefusal = ({ checks, failed }: Judged & { readonly failed: NonNullable<Judged['failed']> }): Refusal => {
  const { check, explanation, isTimeout } = failed;
  if (check === 'REACHABLE') return buildRefusal(isTimeout ? 'EXECUTION_TIMEOUT' : 'EXECUTION_FAILED', explanation, { check });
  return buildRefusal('PASSPORT_INVALID', explanation, { check, checks: [...checks] });
};

/**
 * Verifies the remote agent of a connection: one transaction before anything is sent, none while the remote agent answers, and one after. A
 * failure is stored with the connection.
 */
export const verifyA2aConnection = async (
  changing: Changing,
  verifying: Verifying,
  deps: VerifyDeps,
): Promise<A2aConnectionRow | Refusal> => {
  const connection = await changing(async ({ tx }) => {
    const found = await findA2aConnection(tx, verifying.scope.organization_id, verifying.connectionId);
    return found ? (stateRefusal(found, verifying) ?? found) : buildRefusal('NOT_FOUND');
  });
  if (isRefusal(connection)) return connection;
  const { checks, failed, found } = await judge(connection, deps);
  if (found) return changing((change) => settle(change, verifying, { checks, found, judged: connection }));
  if (!failed) return CHANGED;
  const refused = await changing((change) => noteFailure(change, verifying, { checks, failed }));
  return isRefusal(refused) ? refused : failureRefusal({ checks, failed });
};
