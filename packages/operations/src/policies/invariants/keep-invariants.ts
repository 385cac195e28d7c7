import type { InvariantVerdict } from '@svc/contract/policies/invariants.ts';
import { buildRefusal, isRefusal, type Refusal } from '@svc/contract/rows/refusal.ts';
import { newFairShares } from '@svc/fairness/semaphore/fair-shares.ts';
import type { Invariant } from '@svc/policy/prove/invariant.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import { type Undone, undo } from '@svc/postgres/change/change.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { asInvariant } from './as-invariant.ts';
import { getProofScopes, type ProofObligations, readState } from './proof-question.ts';

type Broken = Refusal<'UNPROCESSABLE'>;
type Answer = Broken | 'kept';

/** Emergencies wait only for other emergencies' proofs. */
export type Urgency = 'usual' | 'emergency';

/** Proves an invariant scope by scope; refuses if too much of the organization waits for proofs. */
export type Prove = (
  organizationId: string,
  invariant: Invariant,
  places: readonly ProofScope[],
  urgency: Urgency,
) => Promise<InvariantVerdict | Refusal<'RATE_LIMITED'>>;

/** A rolled-back change, so that no lock is held while its result is proved. */
type Unproved = { readonly unproved: ProofObligations };
const isUnproved = (value: unknown): value is Unproved => typeof value === 'object' && value !== null && 'unproved' in value;

export type Keeping = { readonly scope: TenantScope; readonly prove: Prove; readonly urgency?: Urgency };

/** Maximum time for all invariants that a change concerns. */
const TIME_MAX_MS = 60_000;
const LATE = 'The time limit was reached before all affected invariants were proved. Make a smaller change.';

const answerTo = async ({ scope, prove, urgency = 'usual' }: Keeping, { parts }: ProofObligations): Promise<Answer> => {
  const deadline = performance.now() + TIME_MAX_MS;
  for (const { invariant, places } of parts) {
    const { id, name, currency } = invariant;
    if (performance.now() > deadline) return buildRefusal('UNPROCESSABLE', LATE, { invariant: { id, name }, verdict: 'UNDECIDED' });
    const proof = await prove(scope.organization_id, asInvariant(invariant, currency), places, urgency);
    if (isRefusal(proof)) return buildRefusal('UNPROCESSABLE', proof.message, { invariant: { id, name }, verdict: 'UNDECIDED' });
    const { verdict, counter_example, undecided } = proof;
    if (verdict === 'VIOLATED') {
      const message = `This change would violate the invariant "${name}". The details contain a request that violates it.`;
      return buildRefusal('UNPROCESSABLE', message, {
        invariant: { id, name },
        verdict,
        counter_example,
        decision: counter_example?.effect,
      });
    }
    if (verdict === 'UNDECIDED') {
      const message = `The invariant "${name}" could not be proved for this change. ${undecided?.because ?? ''} ${undecided?.remedy ?? ''}`;
      return buildRefusal('UNPROCESSABLE', message, { invariant: { id, name }, verdict, undecided });
    }
  }
  return 'kept';
};

/** Wraps one transaction that changes the policies in force, or the invariants. */
export type Guard = <Change extends { readonly tx: TenantTransaction }, Result>(
  work: (change: Change) => Promise<Result>,
) => (change: Change) => Promise<Result | Broken | Undone<Unproved>>;

const ATTEMPTS_MAX = 5;
const MOVED = 'The active policies kept changing during the check. Try again.';

/**
 * Serializes the changes of one organization. They wait in memory, not in the database with a connection each. An emergency waits for at
 * most one of them.
 */
const inFile = newFairShares({ atOnceMax: Number.POSITIVE_INFINITY, perKeyMax: 1, waitingPerKeyMax: 50, waitMsMax: 20_000 });

const guardWith =
  (organizationId: string, answers: ReadonlyMap<string, Answer>): Guard =>
  (work) =>
  async (change) => {
    await lockBoundPolicies(change.tx, organizationId);
    const before = await readState(change.tx, organizationId);
    const result = await work(change);
    if (isRefusal(result)) return result;
    const question = getProofScopes(before, await readState(change.tx, organizationId));
    if (question.parts.length === 0) return result;
    const answer = answers.get(question.key);
    if (answer === undefined) return undo({ unproved: question });
    return answer === 'kept' ? result : answer;
  };

/**
 * Commits a change of the policies in force only if every invariant is proved to hold with it. Proving takes time, so the change is made,
 * rolled back, proved while no connection is held, and made again: it is committed if its result is still the proved one. Changes of one
 * organization run one at a time, so that no two of them together violate what each alone keeps.
 */
export const keepInvariants = async <Outcome>(
  keeping: Keeping,
  attempt: (guard: Guard) => Promise<Outcome>,
): Promise<Exclude<Outcome, Unproved> | Broken> => {
  const { organization_id } = keeping.scope;
  const answers = new Map<string, Answer>();
  const once = () => attempt(guardWith(organization_id, answers));
  for (let made = 0; made < ATTEMPTS_MAX; made++) {
    const outcome = await (keeping.urgency === 'emergency' ? once() : inFile.run(organization_id, once));
    if (!isUnproved(outcome)) return outcome as Exclude<Outcome, Unproved>;
    answers.set(outcome.unproved.key, await answerTo(keeping, outcome.unproved));
  }
  return buildRefusal('UNPROCESSABLE', MOVED);
};
