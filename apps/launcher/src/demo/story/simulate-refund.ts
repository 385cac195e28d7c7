import type { Environment } from '@svc/contract/tenancy/environments.ts';
import { must } from '../../faults/story-fault.ts';
import { type DemoScene, refund } from '../scene.ts';

/** In SIMULATE everything is decided and recorded, and nothing is executed. */
export const simulateRefund = async ({ tell, owner, environmentId, agent, received }: DemoScene): Promise<void> => {
  tell.chapter('In SIMULATE the same requests are decided and recorded, and nothing is carried out');
  const setMode = (mode: Environment['mode'], reason: string): Promise<Environment> =>
    owner.ask('setGatewayMode', { params: { environmentId }, body: { mode, reason } }, (environment) => `mode ${environment.mode}`);
  await setMode('SIMULATE', 'Trying things out');
  const before = await received();
  const small = await agent.act('refund.create', refund('order-1004', 12_000));
  const huge = await agent.act('refund.create', refund('order-1004', 900_000));
  must(small.status === 'SIMULATED' && small.code === null, 'A small refund was to be simulated as allowed.');
  must(huge.status === 'SIMULATED' && huge.code === 'ACTION_BLOCKED', 'A huge refund was to be simulated as blocked.');
  must((await received()).length === before.length, 'The sandbox receiver was to get nothing of a simulation.');
  tell.shows('sandbox', ['received nothing']);
  await setMode('ENFORCE', 'Back to work');
};
