import type { Endpoints } from '@svc/contract/endpoints.ts';
import type { PolicyReplay } from '@svc/contract/policies/replay.ts';
import { buildRefusal, isRefusal } from '@svc/contract/rows/refusal.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { Call, Handler } from '@svc/http/calls/call.ts';
import { asPolicySource } from '@svc/operations/policies/versions/as-policy-source.ts';
import { diffVersions } from '@svc/policy/trial/diff-versions.ts';
import { readInTenant } from '@svc/postgres/connection/in-tenant.ts';
import { readPolicyHead } from '@svc/postgres/policies/policies/policies.ts';
import { listBindings } from '@svc/postgres/policies/policies/policy-bindings.ts';
import { findPolicyVersion } from '@svc/postgres/policies/versions.ts';
import { createFairQueue } from '../../aside/in-turn.ts';
import type { PoliciesDeps } from '../deps.ts';
import type { ReplayRequest } from '../replay/open-replay.ts';
import { replayActions } from '../replay/replay-actions.ts';

/** Replays that one process runs at the same time. */
const inTurn = createFairQueue(2);

type DiffCall = Call<Endpoints['diffPolicy']>;

const readBoth = ({ database, scope, params, query, now }: DiffCall) =>
  readInTenant(database, scope, async (tx) => {
    const { organization_id } = scope;
    const { from, to, days = LIMITS.policies.diffReplayDays } = query;
    const head = await readPolicyHead(tx, organization_id, params.policyId);
    if (!head) return buildRefusal('NOT_FOUND');
    const older = await findPolicyVersion(tx, organization_id, head.id, { number: from });
    const newer = await findPolicyVersion(tx, organization_id, head.id, { number: to });
    if (!older || !newer) return buildRefusal('NOT_FOUND', `This policy has no version ${older ? to : from}.`);
    const bindings = await listBindings(tx, organization_id, head.id);
    const source = (version: typeof older) => asPolicySource({ ...head, bindings }, version);
    return { from: source(older), to: source(newer), bindings, days, now };
  });

type Replayed = { readonly replay: PolicyReplay | null; readonly replay_note: string | null };

const replayed = async (call: DiffCall, question: ReplayRequest): Promise<Replayed> => {
  if (question.days === 0) return { replay: null, replay_note: 'No days were asked for.' };
  // A caller who may read differences of rules may lack permission to read what agents did.
  if (!call.holds('action:read')) return { replay: null, replay_note: 'Reading recorded actions takes action:read.' };
  const replay = await inTurn(call.scope.organization_id, () => replayActions(call.database, call.scope, question));
  return isRefusal(replay) ? { replay: null, replay_note: replay.message ?? null } : { replay, replay_note: null };
};

/** Compares two versions of a policy, rules by id and tests by name, and shows what that would have changed. */
export const diffPolicy: Handler<Endpoints['diffPolicy'], PoliciesDeps> = async (call) => {
  const question = await readBoth(call);
  if (isRefusal(question)) return question;
  const { from, to } = call.query;
  return { from, to, ...diffVersions(question.from.body, question.to.body), ...(await replayed(call, question)) };
};
