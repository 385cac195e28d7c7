import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as contractActions from '@svc/contract/actions/actions.ts';
import type * as contractApprovals from '@svc/contract/actions/approval-shapes.ts';
import type * as contractDecisions from '@svc/contract/actions/decisions.ts';
import type * as contractDelegations from '@svc/contract/agents/delegations/shapes.ts';
import type * as contractIdentity from '@svc/contract/agents/identity.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '@svc/contract/tables/errors.ts';
import type * as contractWords from '@svc/contract/tables/vocabulary.ts';
import { getRetryDelayMs } from './exchange/backoff.ts';
import type {
  Action,
  ActionStatus,
  Approval,
  ApprovalHint,
  ApprovalStatus,
  Decision,
  Effect,
  Execution,
  Explanation,
  Handshake,
  Mode,
  NewDelegation,
  StageFinding,
} from './wire/answers.ts';
import type { ClientErrorCode, GatewayErrorCode } from './wire/error-code.ts';
import { createError } from './wire/errors.ts';

/** Removes readonly markers, so that both sides are compared without them. */
type Writable<T> = T extends object ? { -readonly [Name in keyof T]: Writable<T[Name]> } : T;
/** True for identical types, including every optional nested member; mere assignability does not suffice. */
type Same<A, B> = (<T>() => T extends Writable<A> ? 1 : 2) extends <T>() => T extends Writable<B> ? 1 : 2 ? true : false;

/** Each line compiles only while both definitions of a shape are identical. */
type Agreements = [
  Same<Decision, contractDecisions.Decision>,
  Same<Explanation, contractDecisions.Explanation>,
  Same<StageFinding, contractDecisions.StageFinding>,
  Same<ApprovalHint, contractDecisions.ApprovalHint>,
  Same<Execution, contractDecisions.Execution>,
  Same<Action, contractActions.Action>,
  Same<Approval, contractApprovals.ApprovalForAgent>,
  Same<NewDelegation, contractDelegations.NewDelegation>,
  Same<Handshake, Omit<contractIdentity.Handshake['data'], 'token' | 'token_type' | 'expires_in'>>,
  Same<Effect, contractWords.Effect>,
  Same<Mode, contractWords.Mode>,
  Same<ActionStatus, contractWords.ActionStatus>,
  Same<ApprovalStatus, contractWords.ApprovalStatus>,
  Same<GatewayErrorCode, ErrorCode>,
  GatewayErrorCode & ClientErrorCode extends never ? true : false,
];

test('the shapes, words and codes of the client are those of the contract', () => {
  const agreed: Agreements = [true, true, true, true, true, true, true, true, true, true, true, true, true, true, true];
  assert.ok(agreed.every(Boolean));
});

test('a code is retried exactly if the table of codes permits it', () => {
  for (const code of ERROR_CODES) {
    const { status, retry } = ERRORS[code];
    const error = createError({ code, message: code, status, retryAfterSeconds: 1 });
    const isRepeated = getRetryDelayMs(error, 0, false) !== undefined;
    assert.equal(isRepeated, retry === 'backoff' || retry === 'once', code);
    assert.equal(getRetryDelayMs(error, 1, false) !== undefined, retry === 'backoff', code);
    assert.equal(error.retryable, isRepeated, code);
  }
});
