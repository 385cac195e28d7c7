import type { Endpoints } from '@svc/contract/endpoints.ts';
import { isRefusal } from '@svc/contract/rows/refusal.ts';
import type { Handler } from '@svc/http/calls/call.ts';
import { about } from '@svc/postgres/audit/about.ts';
import { insertCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import type { ControlDeps } from '../../deps.ts';
import { decidedMeanwhile, pendingRequest } from './requests/pending-request.ts';

export const denyCliRequest: Handler<Endpoints['denyCliRequest'], ControlDeps> = async (call, { identity }) => {
  const { caller, now, sourceIp } = call;
  const row = await pendingRequest(identity, call);
  if (isRefusal(row)) return row;
  return call.change(async ({ tx, emit }) => {
    const decision = {
      organization_id: caller.organizationId,
      request_id: row.id,
      user_id: caller.actor.id,
      session_id: caller.credentialId,
    };
    if (!(await insertCliDecision(tx, { ...decision, is_approved: false, code_hash: null, decided_at: now }))) return decidedMeanwhile();
    const { flow, hostname, platform, version } = row;
    const asked = { request_id: row.id, flow, client: { hostname, platform, version }, asked_from: row.source_ip, source_ip: sourceIp };
    emit('cli.authorization_denied', { ...about.user(caller.actor), data: asked });
    return { request_id: row.id };
  });
};
