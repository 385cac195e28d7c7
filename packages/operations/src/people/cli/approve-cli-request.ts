import { hashSecret } from '@svc/keyring/tokens/secret-token.ts';
import { about } from '@svc/postgres/audit/about.ts';
import type { Change } from '@svc/postgres/change/change.ts';
import { insertCliDecision } from '@svc/postgres/people/cli/decisions.ts';
import type { CliRequestRow } from '@svc/postgres/people/cli/requests.ts';
import type { CallContext } from '../auth/acting.ts';
import { refuseDecided } from './decided-meanwhile.ts';

/**
 * Approves a request in the organization of the session. For LOOPBACK the browser gets a code for the terminal's address on its own
 * machine; the request id is the OAuth state that the terminal compares.
 */
export const approveCliRequest = async (
  { tx, emit }: Change<'cli.authorization_approved'>,
  request: CallContext & { readonly credentialId: string; readonly sourceIp: string },
  row: CliRequestRow,
  code: string | null,
) => {
  const { now, sourceIp, scope, actor, credentialId } = request;
  const decision = {
    organization_id: scope.organization_id,
    request_id: row.id,
    user_id: actor.id,
    session_id: credentialId,
  };
  const isFirst = await insertCliDecision(tx, {
    ...decision,
    is_approved: true,
    code_hash: code === null ? null : hashSecret(code),
    decided_at: now,
  });
  if (!isFirst) return refuseDecided();
  const { flow, hostname, platform, version } = row;
  const asked = { request_id: row.id, flow, client: { hostname, platform, version }, asked_from: row.source_ip, source_ip: sourceIp };
  emit('cli.authorization_approved', { ...about.user(actor), data: { ...asked, session_id: credentialId } });
  if (code === null) return { request_id: row.id, redirect_uri: null };
  return { request_id: row.id, redirect_uri: `http://127.0.0.1:${row.redirect_port}/?${new URLSearchParams({ code, state: row.id })}` };
};
