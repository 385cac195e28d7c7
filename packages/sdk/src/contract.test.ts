import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as contractActions from '@svc/contract/actions.ts';
import type * as contractApprovals from '@svc/contract/approvals.ts';
import type * as contractDecisions from '@svc/contract/decisions.ts';
import type * as contractDelegations from '@svc/contract/delegations.ts';
import { ENDPOINTS } from '@svc/contract/endpoints.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@svc/contract/errors.ts';
import type * as contractGateway from '@svc/contract/gateway.ts';
import * as contractWords from '@svc/contract/vocabulary.ts';
import { ASSERTION_TYPE, HEADERS, PLATFORM_KEY_PATH } from '@svc/contract/wire-name.ts';
import type {
  Action,
  ActionStatus,
  Approval,
  ApprovalHint,
  ApprovalStatus,
  Decision,
  Delegation,
  Effect,
  Execution,
  Explanation,
  Handshake,
  Mode,
  StageFinding,
} from './answers.ts';
import { retryDelayMs } from './backoff.ts';
import type { ClientErrorCode, GatewayErrorCode } from './error-code.ts';
import { errorOf } from './errors.ts';
import * as wire from './wire-format.ts';

/** Members a reader may not change can be told from those it may, so both sides are compared without the mark. */
type Writable<T> = T extends object ? { -readonly [Name in keyof T]: Writable<T[Name]> } : T;
type SameMembers<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? true : false;
type Same<A, B> = [Writable<A>, Writable<B>] extends [Writable<B>, Writable<A>] ? SameMembers<A, B> : false;

/** Each line compiles only while the two spellings of a shape are one. */
type Agreements = [
  Same<Decision, contractDecisions.Decision>,
  Same<Explanation, contractDecisions.Explanation>,
  Same<StageFinding, contractDecisions.StageFinding>,
  Same<ApprovalHint, contractDecisions.ApprovalHint>,
  Same<Execution, contractDecisions.Execution>,
  Same<Action, contractActions.Action>,
  Same<Approval, contractApprovals.ApprovalForAgent>,
  Same<Delegation, contractDelegations.Delegation>,
  Same<Handshake, Omit<contractGateway.Handshake['data'], 'token' | 'token_type' | 'expires_in'>>,
  Same<Effect, contractWords.Effect>,
  Same<Mode, contractWords.Mode>,
  Same<ActionStatus, contractWords.ActionStatus>,
  Same<ApprovalStatus, contractWords.ApprovalStatus>,
  [GatewayErrorCode, ErrorCode] extends [ErrorCode, GatewayErrorCode] ? true : false,
  GatewayErrorCode & ClientErrorCode extends never ? true : false,
];

test('the shapes, words and codes that the client spells by itself are those of the contract', () => {
  const agreed: Agreements = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
  assert.ok(agreed.every(Boolean));
  const { EFFECTS, MODES, ACTION_STATUSES, APPROVAL_STATUSES } = contractWords;
  assert.deepEqual(
    [wire.EFFECTS, wire.MODES, wire.ACTION_STATUSES, wire.APPROVAL_STATUSES],
    [EFFECTS, MODES, ACTION_STATUSES, APPROVAL_STATUSES],
  );
});

test('the addresses, headers and the type of assertion that the client spells by itself are those of the contract', () => {
  const { getPlatformKey, mintToken, handshake, endAgentSession, act, getOwnApproval, getOwnAction, reportOutcome, delegate } = ENDPOINTS;
  assert.deepEqual(wire.PATHS, {
    platformKey: getPlatformKey.path,
    token: mintToken.path,
    handshake: handshake.path,
    logout: endAgentSession.path,
    actions: act.path,
    approvals: getOwnApproval.path.replace('/{approvalId}', ''),
    delegations: delegate.path,
  });
  assert.equal(getPlatformKey.path, PLATFORM_KEY_PATH);
  assert.equal(getOwnAction.path, `${wire.PATHS.actions}/{actionId}`);
  assert.equal(reportOutcome.path, `${wire.PATHS.actions}/{actionId}/outcome`);
  assert.equal(wire.ASSERTION_TYPE, ASSERTION_TYPE);
  const { idempotencyKey, requestId, retryAfter } = HEADERS;
  assert.deepEqual(wire.HEADER_NAMES, { idempotencyKey, requestId, retryAfter });
});

test('a code is repeated exactly when the table of codes says that it may be', () => {
  for (const code of ERROR_CODES) {
    const { status, retry } = ERRORS[code];
    const error = errorOf({ code, message: code, status, retryAfterSeconds: 1 });
    const isRepeated = retryDelayMs(error, 0, false) !== undefined;
    assert.equal(isRepeated, retry === 'backoff' || retry === 'once', code);
    assert.equal(retryDelayMs(error, 1, false) !== undefined, retry === 'backoff', code);
    assert.equal(error.retryable, isRepeated, code);
  }
});
