import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import type { CliRequestRow } from '@svc/postgres/people/cli/requests.ts';
import type { CallContext } from '../auth/acting.ts';
import { refuseDecided } from './decided-meanwhile.ts';

export const denyCliRequest = async (
  { tx, emit }: Change<'cli.authorization_denied'>,
  request: CallContext & { readonly credentialId: string; readonly sourceIp: string },
  row: CliRequestRow,
) => {
  const { now, sourceIp, scope, actor, credentialId } = request;
  const decision = {
    organization_id: scope.organization_id,
    request_id: row.id,
    user_id: actor.id,
    session_id: credentialId,
  };
  if (!(await insertCliDecision(tx, { ...decision, is_approved: false, code_hash: null, decided_at: now }))) return refuseDecided();
  const { flow, hostname, platform, version } = row;
  const asked = { request_id: row.id, flow, client: { hostname, platform, version }, asked_from: row.source_ip, source_ip: sourceIp };
  emit('cli.authorization_denied', { ...about.user(actor), data: asked });
  return { request_id: row.id };
};
