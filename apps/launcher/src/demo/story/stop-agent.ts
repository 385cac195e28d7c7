import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { must } from '../../faults/story-fault.ts';
import { type DemoScene, refund } from '../scene.ts';

/** A pause stops everything in the environment until it is resumed. */
export const pauseEnvironment = async ({ tell, owner, environmentId, agent }: DemoScene): Promise<void> => {
  tell.chapter('The environment is paused, and resumed');
  const told = ({ paused }: Environment): string => (paused ? 'paused' : 'running');
  const params = { environmentId };
  await owner.ask('pauseEnvironment', { params, body: { reason: 'Something looks odd' } }, told);
  await agent.actRefused('ENVIRONMENT_PAUSED', 'refund.create', refund('order-1005', 12_000));
  await owner.ask('resumeEnvironment', { params, body: { reason: 'Nothing was wrong' } }, told);
  const decision = await agent.act('refund.create', refund('order-1005', 12_000));
  must(decision.status === 'COMPLETED', 'After the pause a small refund was to be completed again.');
};

/** A revoked identity is never valid again, and its very next call is refused, although its token has minutes to live. */
export const revokeAgent = async ({ tell, owner, agentId, agent, received }: DemoScene): Promise<void> => {
  tell.chapter('The agent is revoked: its next call is refused, even with a valid token');
  const before = await received();
  await owner.ask('revokeAgent', { params: { agentId }, body: { reason: 'The story ends here' } }, ({ status }) => status);
  await agent.actRefused('AGENT_IDENTITY_REVOKED', 'refund.create', refund('order-1006', 12_000));
  must((await received()).length === before.length, 'The sandbox receiver was to get nothing from a revoked agent.');
};
