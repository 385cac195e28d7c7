import { mustCall } from '@svc/testing/people/client.ts';
import { type NounTests, reason } from '../noun-tests.ts';
import type { Scene } from '../scene/scene.ts';
import { wholeOrganization } from '../scope-sql.ts';

const block = ({ make }: Scene, target: string) =>
  make('POST', '/v1/emergency/block-destination', { target, reason, confirm_blast_radius: 0 });

const executed = 'security.emergency_action_executed';

export const emergencyTests = {
  one: async ({ controlUrl, token }, word) => {
    const body = { target: `${word.toLowerCase().replace(/[^a-z0-9]/g, '')}.blocked.example`, reason: word, confirm_blast_radius: 0 };
    const { undo } = await mustCall(controlUrl, 'POST', '/v1/emergency/block-destination', { token, body });
    return { blockId: String(undo.path.split('/').at(-1)) };
  },
  words: { control: 'block-destination' },
  scopes: { blocked_destination: wholeOrganization('blocked_destinations') },
  bodies: ({ made }) => ({
    previewEmergencyControl: { target: `made${made}.blocked.example` },
    executeEmergencyControl: { target: `made${made}.blocked.example`, reason, confirm_blast_radius: 0 },
    unblockDestination: { reason },
  }),
  recipes: {
    executeEmergencyControl: async (scene) => {
      const { make, name, tenant } = scene;
      const agent = await scene.agent();
      const environment = await make('POST', '/v1/environments', {
        workspace_id: tenant.workspace_id,
        name: name('Stopped'),
        type: 'STAGING',
      });
      const { environment_id } = tenant;
      const tool = await make('POST', '/v1/tools', {
        name: name('stopped')
          .toLowerCase()
          .replace(/[^a-z0-9]/g, ''),
        environment_id,
        required_capability: 'x',
        kind: 'SDK',
      });
      const send = (control: string, target: string, confirm_blast_radius: number, more = {}) =>
        scene.send('POST', `/v1/emergency/${control}`, { target, reason, confirm_blast_radius, ...more });
      const drill = { drill: true };
      return [
        { answer: await send('isolate-agent', agent.id, 1, drill), events: [['emergency.drill_completed', 'agent', agent.id]] },
        {
          answer: await send('isolate-agent', agent.id, 1),
          events: [
            ['agent.isolated', 'agent', agent.id],
            [executed, 'agent', agent.id],
          ],
        },
        {
          answer: await send('pause-environment', environment.id, 0),
          events: [
            ['environment.paused', 'environment', environment.id],
            [executed, 'environment', environment.id],
          ],
        },
        {
          answer: await send('disable-tool', tool.id, 0),
          events: [
            ['tool.disabled', 'tool', tool.id],
            [executed, 'tool', tool.id],
          ],
        },
        {
          answer: await send('revoke-sessions', environment.id, 0),
          events: [
            ['session.revoked', 'environment', environment.id],
            [executed, 'environment', environment.id],
          ],
        },
      ];
    },
    unblockDestination: async (scene) => {
      const { undo } = await block(scene, 'recipe.blocked.example');
      const answer = await scene.send('DELETE', undo.path, { reason });
      return [{ answer, events: [[executed, 'blocked_destination', undo.path.split('/').at(-1)]] }];
    },
  },
} as const satisfies NounTests;
