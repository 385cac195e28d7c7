import { call, mustCall, type TestResponse } from '@svc/testing/people/client.ts';
import type { NounTests } from '../noun-tests.ts';
import type { EventSubject } from '../scene/play.ts';
import type { NounScene } from '../scene/scene.ts';
import { listClaimEvents, newSquatter } from '../scene/squatted.ts';
import { newApprover } from './members.ts';

const DIRECTORY: EventSubject = { type: 'SYSTEM', id: 'scim' };

const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

const patch = (...Operations: object[]) => ({ schemas: PATCH, Operations });

type Ask = (method: string, path: string, body?: object) => Promise<TestResponse>;

/** Creates a directory with its token, and a verified domain of the tenant. */
const newDirectory = async ({ planes, make, name, nameServer }: NounScene): Promise<{ readonly ask: Ask; readonly domain: string }> => {
  const domain = `${name('dir').replace(' ', '')}.example`;
  const connection = { name: name('connection'), issuer: 'http://127.0.0.1:9', client_id: 'x', domains: [domain] };
  const made = await make('POST', '/v1/sso/connections', connection);
  const { record } = made.domains[0];
  nameServer.publish(record.name, record.value);
  await make('POST', `/v1/sso/connections/${made.id}/test`, {});
  const { token } = await make('POST', '/v1/sso/scim-token', {});
  const ask: Ask = (method, path, body) => call(planes.controlUrl, method, `/scim/v2${path}`, { token, ...(body ? { body } : {}) });
  return { ask, domain };
};

/** Creates a member with an address in the domain, a key, and an approval that depends on their role. */
const newMember = async (scene: NounScene) => {
  const directory = await newDirectory(scene);
  const { make, name, planes, database } = scene;
  const permissions = ['approval:approve', 'apikey:create', 'agent:read'];
  const role = await make('POST', '/v1/roles', { name: name('Role'), permissions });
  const person = await newApprover(scene, role);
  const { api_key } = await mustCall(planes.controlUrl, 'POST', '/v1/api-keys', {
    ...{ token: person.token, body: { name: 'theirs', role_id: role.id } },
  });
  const userName = `${person.id.toLowerCase()}@${directory.domain}`;
  await database.query('update users set email = $2 where id = $1', [person.id, userName]);
  return { ...directory, person, userName, keyId: api_key.id as string, roleId: role.id as string };
};

/** Creates a person with an unproved address in the domain; returns the events when the directory makes them a member. */
const newSquatted = async (scene: NounScene) => {
  const { ask, domain } = await newDirectory(scene);
  const squatter = await newSquatter(scene);
  const userName = `${squatter.user.id.toLowerCase()}@${domain}`;
  await scene.database.query('update users set email = $2 where id = $1', [squatter.user.id, userName]);
  const joins = (answer: TestResponse) =>
    ({ answer, by: DIRECTORY, events: [...listClaimEvents(squatter, true), ['member.joined', 'member', answer.json.id]] }) as const;
  return { ask, userName, joins };
};

type Member = Awaited<ReturnType<typeof newMember>>;

const ended = ({ person, keyId }: Member, answer: TestResponse) =>
  ({
    ...{ answer, by: DIRECTORY },
    events: [
      ['member.removed', 'member', person.memberId],
      ['apikey.revoked', 'api_key', keyId],
      ['approval.cancelled', 'approval', person.approvalId],
    ],
  }) as const;

const cameBack = ({ person }: Member, answer: TestResponse) =>
  ({
    ...{ answer, by: DIRECTORY },
    events: [
      ['user.profile_updated', 'user', person.id],
      ['member.joined', 'member', person.memberId],
    ],
  }) as const;

/** Changing a person's group changes their role, and ends what depended on the previous one. */
const demoted = ({ tenant }: NounScene, { person }: Member, answer: TestResponse) =>
  ({
    ...{ answer, by: DIRECTORY },
    events: [
      ['scim.configuration_updated', 'organization', tenant.organization_id],
      ['member.role_changed', 'member', person.memberId],
      ['approval.cancelled', 'approval', person.approvalId],
    ],
  }) as const;

const readGroup = async (scene: NounScene, { ask }: Member, members: readonly string[]): Promise<string> =>
  (await ask('POST', '/Groups', { displayName: scene.name('Group'), members: members.map((value) => ({ value })) })).json.id;

/** Creates a group that maps to the role that the member already has. */
const groupWith = async (scene: NounScene, member: Member) => {
  const group = scene.name('Group');
  await scene.make('PATCH', '/v1/sso/scim', { group_roles: [{ group, role_id: member.roleId }] });
  const body = { displayName: group, members: [{ value: member.person.memberId }] };
  return { group, id: (await member.ask('POST', '/Groups', body)).json.id as string };
};

export const scimTests = {
  words: { resourceTypeName: 'User', schemaUrn: 'urn:ietf:params:scim:schemas:core:2.0:User' },
  bodies: ({ made }) => ({
    updateScimConfiguration: { group_roles: [{ group: `Group ${made}`, role_id: 'rol_00000000000000000000000007' }] },
    createScimToken: {},
    revokeScimToken: {},
  }),
  recipes: {
    createScimToken: async ({ send, tenant }) => [
      {
        answer: await send('POST', '/v1/sso/scim-token', {}),
        events: [['scim.configuration_updated', 'organization', tenant.organization_id]],
      },
    ],
    revokeScimToken: async ({ send, tenant }) => [
      {
        answer: await send('DELETE', '/v1/sso/scim-token'),
        events: [['scim.configuration_updated', 'organization', tenant.organization_id]],
      },
    ],
    updateScimConfiguration: async (scene) => {
      const member = await newMember(scene);
      const { group } = await groupWith(scene, member);
      const group_roles = [{ group, role_id: 'rol_00000000000000000000000006' }];
      const { by: _, ...play } = demoted(scene, member, await scene.send('PATCH', '/v1/sso/scim', { group_roles }));
      return [play];
    },
    createScimUser: async (scene) => {
      const { ask, domain } = await newDirectory(scene);
      const answer = await ask('POST', '/Users', { userName: `${scene.name('n').replace(' ', '')}@${domain}` });
      const over = await newSquatted(scene);
      const taken = await over.ask('POST', '/Users', { userName: over.userName });
      return [{ answer, by: DIRECTORY, events: [['member.joined', 'member', answer.json.id]] }, over.joins(taken)];
    },
    replaceScimUser: async (scene) => {
      const member = await newMember(scene);
      const { ask, person, userName } = member;
      const { displayName } = (await ask('GET', `/Users/${person.memberId}`)).json;
      const put = (more: object) => ask('PUT', `/Users/${person.memberId}`, { userName, displayName, ...more });
      const plays = [ended(member, await put({ active: false })), cameBack(member, await put({ active: true, displayName: 'Renamed' }))];
      // Another directory, whose token ends the first one's.
      const over = await newSquatted(scene);
      const { id } = (await over.ask('POST', '/Users', { userName: over.userName, active: false })).json;
      return [...plays, over.joins(await over.ask('PUT', `/Users/${id}`, { userName: over.userName, active: true }))];
    },
    patchScimUser: async (scene) => {
      const member = await newMember(scene);
      const send = (operation: object) => member.ask('PATCH', `/Users/${member.person.memberId}`, patch(operation));
      const left = await send({ op: 'replace', path: 'active', value: false });
      const plays = [ended(member, left), cameBack(member, await send({ op: 'replace', value: { active: true, displayName: 'Renamed' } }))];
      const over = await newSquatted(scene);
      const { id } = (await over.ask('POST', '/Users', { userName: over.userName, active: false })).json;
      return [...plays, over.joins(await over.ask('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true })))];
    },
    deleteScimUser: async (scene) => {
      const member = await newMember(scene);
      return [ended(member, await member.ask('DELETE', `/Users/${member.person.memberId}`))];
    },
    createScimGroup: async (scene) => {
      const member = await newMember(scene);
      const body = { displayName: scene.name('Group'), members: [{ value: member.person.memberId }] };
      return [demoted(scene, member, await member.ask('POST', '/Groups', body))];
    },
    replaceScimGroup: async (scene) => {
      const member = await newMember(scene);
      const id = await readGroup(scene, member, []);
      const body = { displayName: scene.name('Group'), members: [{ value: member.person.memberId }] };
      return [demoted(scene, member, await member.ask('PUT', `/Groups/${id}`, body))];
    },
    patchScimGroup: async (scene) => {
      const member = await newMember(scene);
      const id = await readGroup(scene, member, []);
      const added = patch({ op: 'add', path: 'members', value: [{ value: member.person.memberId }] });
      return [demoted(scene, member, await member.ask('PATCH', `/Groups/${id}`, added))];
    },
    deleteScimGroup: async (scene) => {
      const member = await newMember(scene);
      const { id } = await groupWith(scene, member);
      return [demoted(scene, member, await member.ask('DELETE', `/Groups/${id}`))];
    },
  },
} as const satisfies NounTests;
