import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Governed, type GovernedOptions, newGoverned } from '@svc/testing/agents/governed.ts';
import { mustCall } from '@svc/testing/people/client.ts';
import { stepUp } from '@svc/testing/people/tenant.ts';
import { type StartedPlanes, startPlanes } from '@svc/testing/planes/start-planes.ts';

/** A measured neighbour, and functions that create adversarial tenants. */
export type Scene = {
  readonly planes: StartedPlanes;
  readonly controlUrl: string;
  readonly gatewayUrl: string;
  readonly victim: Victim;
  /** Signs up another organization with one agent, one tool and one policy in force. Its owner has stepped up. */
  readonly newHostile: (options?: GovernedOptions) => Promise<Governed>;
  readonly stop: () => Promise<void>;
};

export type Victim = {
  readonly governed: Governed;
  /** An HTTP tool whose downstream responds at once, by name. */
  readonly calledTool: string;
  /** An unused environment for emergency stops. */
  readonly spareEnvironmentId: string;
};

/** Default settings, except for calls to this machine, and enough sign-ups for the scene. */
const SETTINGS = {
  SVC_RATE_LOGIN_PER_MINUTE: '600',
  SVC_RATE_CONTROL_PLANE_PER_MINUTE: '600',
  SVC_RATE_GATEWAY_TOKEN_PER_MINUTE: '60',
  SVC_RATE_GATEWAY_ACTIONS_PER_MINUTE: '6000',
  GATEWAY_ALLOW_REAL_EGRESS: 'true',
  SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
};

const startPromptDownstream = async (): Promise<{ readonly url: string; readonly close: () => void }> => {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{"done":true}'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  // A name, not an address, so that unresolvable names of others would have an effect.
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
};

const newVictim = async (planes: StartedPlanes, downstreamUrl: string): Promise<Victim> => {
  const governed = await newGoverned(planes);
  const { token, environment_id, workspace_id, controlUrl } = governed.tenant;
  const post = (path: string, body: object) => mustCall(controlUrl, 'POST', path, { token, body });
  const tool = await post('/v1/tools', {
    name: 'ship',
    environment_id,
    required_capability: 'pay',
    kind: 'HTTP',
    destination_allowlist: [new URL(downstreamUrl).host],
    execution: { method: 'POST', url: downstreamUrl },
  });
  await post(`/v1/tools/${tool.id}/agents`, { agent_id: governed.agent.id });
  const spare = await post('/v1/environments', { workspace_id, name: 'Spare', type: 'STAGING' });
  return { governed, calledTool: 'ship', spareEnvironmentId: spare.id };
};

export const setScene = async (env: Readonly<Record<string, string>> = {}): Promise<Scene> => {
  const downstream = await startPromptDownstream();
  const planes = await startPlanes({ env: { ...SETTINGS, ...env } });
  const victim = await newVictim(planes, downstream.url);
  return {
    planes,
    controlUrl: planes.controlUrl,
    gatewayUrl: planes.gatewayUrl,
    victim,
    newHostile: (options) => newGoverned(planes, options),
    stop: async () => {
      await planes.stop();
      downstream.close();
    },
  };
};

/** Ensures that only the attack can block the neighbour's emergency stop. */
export const refreshVictim = ({ controlUrl, victim }: Scene): Promise<void> => stepUp(controlUrl, victim.governed.tenant);
