import { type Asked, failClosed } from '@svc/enforcement/ports/fail-closed.ts';
import type { Current } from '@svc/enforcement/ports/load-current.ts';
import { sha256Hex } from '@svc/keyring/bytes/sha256-hex.ts';
import { newId } from '@svc/program/ids/new-id.ts';
import type { GatewayDeps } from '../../../deps.ts';

/** Client library as the agent claims it. */
export type ClientLibrary = { readonly name: string; readonly version: string; readonly runtime: string };

/** Sign-in of an agent: its library, time and request. */
export type SignIn = Asked & { readonly sdk: ClientLibrary; readonly now: Date };

/** Inserts the row that begins a session and uses up the nonce, if the agent and its environment are unchanged since the check. */
export const beginSession = async (deps: GatewayDeps, signIn: SignIn, nonce: string, current: Current) => {
  const { sdk, now } = signIn;
  const { agent, environment } = current;
  const lifetime = deps.settings.agentTokenLifetimeSeconds;
  const expiresAt = new Date(now.getTime() + lifetime * 1000).toISOString();
  const id = newId('session');
  const outcome = await failClosed('IDENTITY_SERVICE_UNAVAILABLE', deps.pipeline, signIn, () =>
    deps.recorder.beginSession({
      organization_id: agent.organization_id,
      id,
      agent_id: agent.agent_id,
      nonce_hash: sha256Hex(nonce),
      generation: agent.key_generation,
      series: agent.session_series,
      agent_epoch: agent.epoch,
      environment_id: environment.environment_id,
      environment_epoch: environment.epoch,
      sdk,
      created_at: now.toISOString(),
      expires_at: expiresAt,
    }),
  );
  return { id, outcome, expiresAt };
};
