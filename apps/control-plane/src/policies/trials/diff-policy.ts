import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal, refusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { diffVersions } from '@svc/policy/trial/diff-versions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { listBindings } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import type { PoliciesDeps } from '../deps.ts';
import { replayInTurn } from '../replay/replay-in-turn.ts';

type DiffCall = Call<Endpoints['diffPolicy']>;

const readBoth = ({ database, scope, params, query, now }: DiffCall) =>
  readInTenant(database, scope, async (tx) => {
    const { organization_id } = scope;
    const { from, to, days = LIMITS.policies.diffReplayDays } = query;
    const head = await readPolicyHead(tx, organization_id, params.policyId);
    if (!head) return refusal('NOT_FOUND');
    const older = await findPolicyVersion(tx, organization_id, head.id, { number: from });
    const newer = await findPolicyVersion(tx, organization_id, head.id, { number: to });
    if (!older || !newer) return refusal('NOT_FOUND', `This policy has no version ${older ? to : from}.`);
    const bindings = await listBindings(tx, organization_id, head.id);
    const source = (version: typeof older) => asPolicySource({ ...head, bindings }, version);
    return { from: source(older), to: source(newer), bindings, days, now };
  });

export const diffPolicy: Handler<Endpoints['diffPolicy'], PoliciesDeps> = async (call) => {
  const question = await readBoth(call);
  if (isRefusal(question)) return question;
  const { from, to } = call.query;
  return { from, to, ...diffVersions(question.from.body, question.to.body), ...(await replayInTurn(call, question)) };
};
