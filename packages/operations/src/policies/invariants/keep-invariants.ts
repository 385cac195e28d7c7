import { isRefusal, type Refusal, refusal } from '@svc/contract/rows/refusal.ts';
import { proveInvariant, type Urgency } from '@svc/control-plane/policies/proving/prove-invariant.ts';
import { newFairShares } from '@svc/postgres/connection/fair-shares.ts';
import type { TenantScope, TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { lockBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { asInvariant } from './as-invariant.ts';
import { type Question, questionOf, readState } from './proof-question.ts';

type Broken = Refusal<'UNPROCESSABLE'>;
type Answer = Broken | 'kept';

/** Rolls a change back, so that nothing is held while what it would lead to is proved. */
class Unproved extends Error {
  readonly question: Question;
  constructor(question: Question) {
    super('not proved yet');
    this.question = question;
  }
}

/** For all invariants that a change concerns; none that is left counts as proved. */
const TIME_MAX_MS = 60_000;
const LATE = 'Time was up before every invariant that this concerns was proved to hold with it. Change less at a time.';

const answerTo = async (organizationId: string, { parts }: Question, urgency: Urgency): Promise<Answer> => {
  const deadline = performance.now() + TIME_MAX_MS;
  for (const { invariant, places } of parts) {
    const { id, name, currency } = invariant;
    if (performance.now() > deadline) return refusal('UNPROCESSABLE', LATE, { invariant: { id, name }, verdict: 'UNDECIDED' });
    const proof = await proveInvariant(organizationId, asInvariant(invariant, currency), places, urgency);
    if (isRefusal(proof)) return refusal('UNPROCESSABLE', proof.message, { invariant: { id, name }, verdict: 'UNDECIDED' });
    const { verdict, counter_example, undecided } = proof;
    if (verdict === 'VIOLATED') {
      const message = `With this, the invariant "${name}" would not hold: details show a request that breaks it.`;
      return refusal('UNPROCESSABLE', message, { invariant: { id, name }, verdict, counter_example, decision: counter_example?.effect });
    }
    if (verdict === 'UNDECIDED') {
      const message = `It could not be proved that the invariant "${name}" holds with this. ${undecided?.because ?? ''} ${undecided?.remedy ?? ''}`;
      return refusal('UNPROCESSABLE', message, { invariant: { id, name }, verdict, undecided });
    }
  }
  return 'kept';
};

/** Wraps the work of one transaction that changes what is in force, or what has to hold of it. */
export type Guard = <Change extends { readonly tx: TenantTransaction }, Result>(
  work: (change: Change) => Promise<Result>,
) => (change: Change) => Promise<Result | Broken>;

const ATTEMPTS_MAX = 5;
const MOVED = 'The policies in force changed again and again while this was checked; try once more.';

/**
 * Changes of one organization follow one another, so they wait here, in memory, and not in the database with a connection each. An emergency
 * does not: it finds at most one of them before it.
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
    const question = questionOf(before, await readState(change.tx, organizationId));
    if (question.parts.length === 0) return result;
    const answer = answers.get(question.key);
    if (answer === undefined) throw new Unproved(question);
    return answer === 'kept' ? result : answer;
  };

/**
 * Commits a change of what is in force only when every stated invariant is proved to hold with it. Proving takes time, so the change is
 * made, undone, what it leads to is proved with no connection held, and it is made again: it is committed when it still leads there. Changes
 * of one organization are made one after the other, so that no two of them together break what each alone keeps.
 */
export const keepInvariants = async <Outcome>(
  { organization_id }: TenantScope,
  attempt: (guard: Guard) => Promise<Outcome>,
  urgency: Urgency = 'usual',
): Promise<Outcome | Broken> => {
  const answers = new Map<string, Answer>();
  for (let made = 0; made < ATTEMPTS_MAX; made++) {
    try {
      const once = () => attempt(guardWith(organization_id, answers));
      return await (urgency === 'emergency' ? once() : inFile.run(organization_id, once));
    } catch (error) {
      if (!(error instanceof Unproved)) throw error;
      answers.set(error.question.key, await answerTo(organization_id, error.question, urgency));
    }
  }
  return refusal('UNPROCESSABLE', MOVED);
};
