import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { VersionBody } from '@svc/contract/policies/language.ts';
import { isRefusal, refusal } from '@svc/contract/rows/refusal.ts';
import { currencyFault } from '@svc/domain/policies/versions/version-currency.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { readSurroundings } from '@svc/operations/policies/versions/read-surroundings.ts';
import { readVersionBody } from '@svc/operations/policies/versions/read-version-body.ts';
import { compileVersion } from '@svc/policy/judge/compile-version.ts';
import { readInTenant, type TenantTransaction } from '@svc/postgres/connection/in-tenant.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { listBindings, type StoredBinding } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { PoliciesDeps } from '../deps.ts';
import { replayInTurn } from '../replay/replay-in-turn.ts';
import { versionFindings } from '../versions/findings/version-findings.ts';
import { testReport } from './report/test-report.ts';

type CheckCall = Call<Endpoints['checkPolicy']>;

const NO_VERSION = { id: '', version_number: 1 } as const;

/** The policy that the rules are for, with its active version; a new one, bound to the organization, where the request names none. */
const readTarget = async (tx: TenantTransaction, { scope, body }: CheckCall) => {
  const { organization_id } = scope;
  const everywhere: StoredBinding = { id: '', scope: 'ORGANIZATION', target_id: organization_id };
  if (body.policy_id === undefined) return { policy: { id: '', name: '', bindings: [everywhere] }, active: undefined };
  const head = await readPolicyHead(tx, organization_id, body.policy_id);
  if (!head) return refusal('NOT_FOUND');
  const bindings = await listBindings(tx, organization_id, head.id);
  return { policy: { ...head, bindings }, active: await findPolicyVersion(tx, organization_id, head.id, 'active') };
};

const readChecked = (call: CheckCall, body: VersionBody) =>
  readInTenant(call.database, call.scope, async (tx) => {
    const target = await readTarget(tx, call);
    if (isRefusal(target)) return target;
    const { policy, active } = target;
    const read = await readSurroundings(tx, call.scope.organization_id, policy.bindings, (baseCurrency) => {
      const currency = call.body.currency ?? active?.currency ?? baseCurrency;
      return compileVersion(asPolicySource(policy, { ...NO_VERSION, currency, body }));
    });
    return { ...read, policy, active };
  });

const NOTHING_ACTIVE = { replay: null, replay_note: 'No version of the policy is active, so there is nothing to compare with.' };

/** Judges rules and tests as a save would, without one. */
export const checkPolicy: Handler<Endpoints['checkPolicy'], PoliciesDeps> = async (call) => {
  const wrong = currencyFault(call.body.currency);
  if (wrong) return wrong;
  const body = readVersionBody(call.body.rules, call.body.tests ?? []);
  if (isRefusal(body)) return body;
  const checked = await readChecked(call, body);
  if (isRefusal(checked)) return checked;
  const { version, surroundings, policy, active } = checked;
  const findings = await versionFindings(version, surroundings, call.now);
  const { passed, failed, results } = await testReport(version, body.tests);
  const { days = 0 } = call.body;
  const replayed =
    active === undefined
      ? NOTHING_ACTIVE
      : await replayInTurn(call, {
          ...{ from: asPolicySource(policy, active), to: version.source },
          ...{ bindings: policy.bindings, days, now: call.now },
        });
  return { ...findings, tests: { passed, failed, results }, ...replayed };
};
