import type { AccessDecision, AccessEvaluation, BatchSemantic } from '@svc/contract/actions/access.ts';
import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { Fault } from '@svc/contract/rows/fault.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { ERRORS } from '@svc/contract/tables/errors.ts';
import { findEvaluationFaults } from '@svc/domain/actions/access/read-access.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import type { ActionsDeps } from '../deps.ts';
import { type AccessRefusal, decideAccess } from './deciding/decide-access.ts';

const MEMBERS = ['subject', 'action', 'resource', 'context'] as const;

type Members = Readonly<Record<string, unknown>>;

/** Required members of an entity, taken from the default if the entity of the evaluation omits them. */
const REQUIRED = ['type', 'id', 'name'] as const;

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value);

const withRequired = (entity: Members, fallback: Members): Members => ({
  ...Object.fromEntries(REQUIRED.flatMap((name) => (fallback[name] === undefined ? [] : [[name, fallback[name]]]))),
  ...entity,
});

/** Merges an entity with the default. It replaces the default except for omitted required members. */
const merge = (defaults: Members, own: Members): Members =>
  Object.fromEntries(
    MEMBERS.flatMap((name) => {
      const [value, fallback] = [own[name] ?? defaults[name], defaults[name]];
      if (value === undefined) return [];
      return [[name, name !== 'context' && isMembers(value) && isMembers(fallback) ? withRequired(value, fallback) : value]];
    }),
  );

/** Formats an evaluation of a batch that failed: denied, with the error in its context. */
const failed = ({ refused, message, details }: AccessRefusal): AccessDecision => {
  const { status, message: standard } = ERRORS[refused];
  return { decision: false, context: { code: refused, error: { status, message: message ?? standard, ...(details ? { details } : {}) } } };
};

const invalid = (faults: readonly Fault[]): AccessRefusal =>
  buildRefusal('VALIDATION_FAILED', 'The evaluation is not valid.', { faults: [...faults] });

const endsBatch = (semantic: BatchSemantic, { decision }: AccessDecision): boolean =>
  semantic === 'deny_on_first_deny' ? !decision : semantic === 'permit_on_first_permit' && decision;

/** Decides evaluations in order, one at a time. A body without `evaluations` is a single evaluation (AuthZEN). */
export const evaluateAccessBatch: Handler<Endpoints['evaluateAccessBatch'], ActionsDeps> = async (call, { pipeline }) => {
  const { evaluations = [], options, ...defaults } = call.body;
  if (evaluations.length === 0) {
    const faults = findEvaluationFaults(defaults);
    return faults.length > 0 ? invalid(faults) : decideAccess(call, pipeline, defaults as AccessEvaluation);
  }
  const semantic = options?.evaluations_semantic ?? 'execute_all';
  const decided: AccessDecision[] = [];
  for (const own of evaluations) {
    if (call.isGone()) break;
    const merged = merge(defaults, own);
    const faults = findEvaluationFaults(merged);
    const answered = faults.length > 0 ? invalid(faults) : await decideAccess(call, pipeline, merged as AccessEvaluation);
    const decision = isRefusal(answered) ? failed(answered) : answered;
    decided.push(decision);
    if (endsBatch(semantic, decision)) break;
  }
  return { evaluations: decided };
};
