import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { CheckedInvariant } from '@svc/contract/policies/checks.ts';
import type { PolicyInvariant } from '@svc/contract/policies/invariants.ts';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { reachesBeyond } from '@svc/domain/policies/policies/binding-reach.ts';
import { findCurrencyFault } from '@svc/domain/policies/versions/version-currency.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { asInvariant } from '@svc/operations/policies/invariants/as-invariant.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { readAnalysisContext } from '@svc/operations/policies/versions/read-surroundings.ts';
import { readVersionBody } from '@svc/operations/policies/versions/read-version-body.ts';
import { compileVersion, type PolicySource } from '@svc/policy/judge/compile-version.ts';
import type { ProofScope } from '@svc/policy/prove/place.ts';
import { listScopes } from '@svc/policy/prove/places.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { allPolicyInvariants } from '@svc/postgres/policies/invariants.ts';
import { readBoundPolicies } from '@svc/postgres/policies/policies/bound-policies.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { findBindingScope, listBindings, type StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { readOrganization } from '@svc/postgres/tenancy/organization/organization.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import type { PoliciesDeps } from '../deps.ts';
import { proveInvariant } from '../proving/prove-invariant.ts';
import { replayActions } from '../replay/replay-actions.ts';
import { listVersionFindings } from '../versions/findings/version-findings.ts';
import { testReport } from './report/test-report.ts';

type CheckCall = Call<Endpoints['checkPolicy']>;

/** Replays that one process runs at the same time. */
const inTurn = createFairQueue(2);
const INVARIANTS_MAX = 50;
const PROOFS_MS = 20_000;

const EMPTY: VersionBody = { rules: [], tests: [] };

type Target = {
  readonly head: { readonly id: string; readonly name: string };
  readonly bindings: readonly StoredBinding[];
  /** The version in force, or one without rules. */
  readonly base: { readonly currency: string | undefined; readonly body: VersionBody; readonly version_number: number };
};

/** Reads the named policy, or a new one in the scope it would be bound to. */
const readTarget = async (tx: TenantTransaction, call: CheckCall) => {
  const { organization_id } = call.scope;
  const { policy_id, binding = { scope: 'ORGANIZATION' as const, id: organization_id } } = call.body;
  if (policy_id === undefined) {
    if (!(await findBindingScope(tx, organization_id, binding)))
      return buildRefusal('NOT_FOUND', 'The scope of the binding does not exist.');
    const bindings: StoredBinding[] = [{ id: call.newId('policy_binding'), scope: binding.scope, target_id: binding.id }];
    const target: Target = {
      head: { id: call.newId('policy'), name: 'New policy' },
      bindings,
      base: { currency: undefined, body: EMPTY, version_number: 0 },
    };
    return target;
  }
  const head = await readPolicyHead(tx, organization_id, policy_id);
  if (!head) return buildRefusal('NOT_FOUND');
  const bindings = await listBindings(tx, organization_id, head.id);
  const active = await findPolicyVersion(tx, organization_id, head.id, 'active');
  const newest = await findPolicyVersion(tx, organization_id, head.id, 'newest');
  const base = { currency: newest?.currency, body: active?.body ?? EMPTY, version_number: newest?.version_number ?? 0 };
  return { head, bindings, base } satisfies Target;
};

type Stated = { readonly invariant: PolicyInvariant; readonly places: readonly ProofScope[] };

/** Reads every invariant with the policies that would be in force in its scopes. */
const readInvariants = async (
  tx: TenantTransaction,
  organizationId: string,
  source: PolicySource,
  bindings: readonly StoredBinding[],
): Promise<Stated[]> => {
  const invariants = (await allPolicyInvariants(tx, organizationId)).slice(0, INVARIANTS_MAX);
  if (invariants.length === 0) return [];
  const own = bindings.map(({ scope, target_id }) => ({ ...source, binding: { scope, id: target_id } }));
  const { bound, directory } = await readBoundPolicies(tx, organizationId, own);
  const all = [...bound.filter(({ policy_id }) => policy_id !== source.policy_id), ...own];
  return invariants.map((invariant) => ({ invariant, places: listScopes(invariant.scope, all, directory) }));
};

const LATE = 'The time limit was reached before all invariants were checked.';

const proveAll = async (organizationId: string, stated: readonly Stated[]) => {
  const invariants: CheckedInvariant[] = [];
  const deadline = performance.now() + PROOFS_MS;
  for (const { invariant, places } of stated) {
    if (performance.now() > deadline) return { invariants, invariants_note: LATE };
    const proof = await proveInvariant(organizationId, asInvariant(invariant, invariant.currency), places);
    if (isRefusal(proof)) return { invariants, invariants_note: proof.message ?? LATE };
    const { verdict, counter_example } = proof;
    invariants.push({
      id: invariant.id,
      name: invariant.name,
      verdict,
      counter_example: counter_example === null ? null : { ...counter_example },
    });
  }
  return { invariants, invariants_note: null };
};

const replayChange = async (call: CheckCall, { bindings }: Target, from: PolicySource, to: PolicySource) => {
  const { days = LIMITS.policies.diffReplayDays } = call.body;
  if (days === 0) return { replay: null, replay_note: 'No days were requested.' };
  if (!call.holds('action:read')) return { replay: null, replay_note: 'Reading recorded actions requires action:read.' };
  const question = { from, to, bindings, days, now: call.now };
  const replay = await inTurn(call.scope.organization_id, () => replayActions(call.database, call.scope, question));
  return isRefusal(replay) ? { replay: null, replay_note: replay.message ?? null } : { replay, replay_note: null };
};

/** Checks rules and tests as the next version of a policy, and stores nothing. */
export const checkPolicy: Handler<Endpoints['checkPolicy'], PoliciesDeps> = async (call) => {
  const { scope, database } = call;
  const { organization_id } = scope;
  const { binding, policy_id, rules, tests = [] } = call.body;
  if (policy_id === undefined && reachesBeyond(scope, binding?.scope ?? 'ORGANIZATION'))
    return call.fault('/binding', 'This call is limited to a part of the organization; name a workspace, environment or agent inside it.');
  const body = findCurrencyFault(call.body.currency) ?? readVersionBody(rules, tests);
  if (isRefusal(body)) return body;
  const read = await readInTenant(database, scope, async (tx) => {
    const target = await readTarget(tx, call);
    if (isRefusal(target)) return target;
    const { head, bindings, base } = target;
    const newSource = (found: VersionBody, currency: string): PolicySource =>
      asPolicySource(
        { ...head, bindings },
        { id: call.newId('policy_version'), version_number: base.version_number + 1, currency, body: found },
      );
    const { base_currency } = await readOrganization(tx, organization_id);
    const currency = call.body.currency ?? base.currency ?? base_currency;
    const { version, surroundings } = await readAnalysisContext(tx, organization_id, bindings, () =>
      compileVersion(newSource(body, currency)),
    );
    const stated = reachesBeyond(scope, 'ORGANIZATION') ? [] : await readInvariants(tx, organization_id, version.source, bindings);
    return { target, version, surroundings, stated, currency, from: newSource(base.body, currency) };
  });
  if (isRefusal(read)) return read;
  const { target, version, surroundings, stated, currency, from } = read;
  const { passed, failed, results } = await testReport(version, body.tests);
  return {
    ...(await listVersionFindings(version, surroundings, call.now)),
    currency,
    tests: { passed, failed, results },
    ...(await proveAll(organization_id, stated)),
    ...(await replayChange(call, target, from, version.source)),
  };
};
