import { mustCall } from '@svc/testing/people/client.ts';
import { insertBreakGlass } from '@svc/testing/records/insert-break-glass.ts';
import { type NounTests, reason } from '../noun-tests.ts';
import type { NounScene } from '../scene/scene.ts';
import { getWholeOrganization } from '../scope-sql.ts';

const block = ({ make }: NounScene, target: string) =>
  make('POST', '/v1/emergency/block-destination', { target, reason, confirm_blast_radius: 0 });

const executed = 'security.emergency_action_executed';

const updated = 'emergency.access_updated';
const granted = 'security.break_glass_granted';
const expired = 'security.break_glass_expired';
const drilled = 'emergency.drill_completed';
const GRANT = 'break_glass_grant';

const insertGrant = async ({ planes, tenant }: NounScene, given: Parameters<typeof insertBreakGlass>[3]): Promise<string> =>
  (await insertBreakGlass(planes.database, tenant.organization_id, 'recipe', given)).breakGlassId;

const decide = (scene: NounScene, id: string, verb: string) => scene.send('POST', `/v1/emergency/break-glass/${id}/${verb}`, { reason });

const setMode = (scene: NounScene, mode: string) => scene.send('PUT', '/v1/emergency/break-glass/settings', { mode, reason });

/** Marks the person's sessions as opened with a second factor. */
const countFactor = async ({ planes, tenant }: NounScene): Promise<void> => {
  const client = await planes.database.client();
  await client.query("update sessions set amr = array['PASSWORD', 'TOTP'] where user_id = $1", [tenant.user.id]);
  await client.end();
};

export const emergencyTests = {
  one: async ({ controlUrl, token }, word) => {
    const body = { target: `${word.toLowerCase().replace(/[^a-z0-9]/g, '')}.blocked.example`, reason: word, confirm_blast_radius: 0 };
    const { undo } = await mustCall(controlUrl, 'POST', '/v1/emergency/block-destination', { token, body });
    return { blockId: String(undo.path.split('/').at(-1)) };
  },
  words: { control: 'block-destination' },
  scopes: {
    blocked_destination: getWholeOrganization('blocked_destinations'),
    break_glass_grant: getWholeOrganization('break_glass_grants'),
  },
  bodies: ({ made }) => ({
    previewEmergencyControl: { target: `made${made}.blocked.example` },
    executeEmergencyControl: { target: `made${made}.blocked.example`, reason, confirm_blast_radius: 0 },
    unblockDestination: { reason },
    requestBreakGlass: { reason, minutes: 15 },
    updateBreakGlassSettings: { mode: 'TWO_PEOPLE', reason },
    approveBreakGlass: { reason },
    denyBreakGlass: { reason },
    endBreakGlass: { reason },
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
    requestBreakGlass: async (scene) => {
      await countFactor(scene);
      const ended = await insertGrant(scene, { status: 'ACTIVE', isExpired: true });
      const request = () => scene.send('POST', '/v1/emergency/break-glass', { reason, minutes: 15 });
      await setMode(scene, 'SELF_WITH_NOTICE');
      const drill = await scene.send('POST', '/v1/emergency/break-glass', { reason, minutes: 15, drill: true });
      await setMode(scene, 'TWO_PEOPLE');
      const first = await request();
      await decide(scene, first.json.id, 'end');
      await setMode(scene, 'SELF_WITH_NOTICE');
      const alone = await request();
      await decide(scene, alone.json.id, 'end');
      await setMode(scene, 'TWO_PEOPLE');
      return [
        {
          answer: drill,
          events: [
            [expired, GRANT, ended],
            [drilled, GRANT, drill.json.id],
          ],
        },
        {
          answer: first,
          events: [[updated, GRANT, first.json.id]],
        },
        {
          answer: alone,
          events: [
            ['incident.created', 'incident', alone.json.incident_id],
            [granted, GRANT, alone.json.id],
          ],
        },
      ];
    },
    updateBreakGlassSettings: async (scene) => {
      const answer = await setMode(scene, 'TWO_PEOPLE');
      return [{ answer, events: [[updated, 'organization', scene.tenant.organization_id]] }];
    },
    approveBreakGlass: async (scene) => {
      const pending = await insertGrant(scene, {});
      const alone = await insertGrant(scene, { status: 'ACTIVE', mode: 'SELF_WITH_NOTICE' });
      const practice = await insertGrant(scene, { isDrill: true });
      return [
        { answer: await decide(scene, practice, 'approve'), events: [[drilled, GRANT, practice]] },
        { answer: await decide(scene, pending, 'approve'), events: [[granted, GRANT, pending]] },
        { answer: await decide(scene, alone, 'approve'), events: [[updated, GRANT, alone]] },
      ];
    },
    denyBreakGlass: async (scene) => {
      const id = await insertGrant(scene, {});
      return [{ answer: await decide(scene, id, 'deny'), events: [[updated, GRANT, id]] }];
    },
    endBreakGlass: async (scene) => {
      const [active, pending] = [await insertGrant(scene, { status: 'ACTIVE' }), await insertGrant(scene, {})];
      return [
        { answer: await decide(scene, active, 'end'), events: [[expired, GRANT, active]] },
        { answer: await decide(scene, pending, 'end'), events: [[updated, GRANT, pending]] },
      ];
    },
    unblockDestination: async (scene) => {
      const { undo } = await block(scene, 'recipe.blocked.example');
      const answer = await scene.send('DELETE', undo.path, { reason });
      return [{ answer, events: [[executed, 'blocked_destination', undo.path.split('/').at(-1)]] }];
    },
  },
} as const satisfies NounTests;
