import { getBuiltInRole } from '@svc/contract/tables/built-in-roles.ts';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import type { FreshDatabase } from '@svc/testing/database/database.ts';
import { call, mustCall } from '@svc/testing/people/client.ts';
import { newControlClient } from '@svc/testing/people/typed-client.ts';
import type { Attack } from '../../attack.ts';
import { ask, createUnauthenticatedAgent, runInParallel } from '../../hostile-client.ts';

type Prepared = { readonly controlUrl: string; readonly token: string; readonly path: string };
type Group = { readonly organizationId: string; readonly id: string };

const SCIM = { 'content-type': 'application/scim+json' };
const PATCH = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];
const NAMES = ['Makers', 'Readers', 'Nobody'];
/** Other groups of the same people, with names of maximum length. */
const OTHERS = 50;

const mem = "'mem_01HZZZZZZZZZZZZZZZ' || lpad(n::text, 8, '0')";
const usr = "'usr_01HZZZZZZZZZZZZZZZ' || lpad(n::text, 8, '0')";
const other = "left($2, 12) || 'ZZZZZZZZZZZZ' || lpad(g::text, 8, '0')";
const people = `generate_series(1, ${LIMITS.scim.groupMembersMax}) n`;
const others = `generate_series(1, ${OTHERS}) g`;

/** Puts the maximum number of people in this group and in the others. */
const fillGroups = async (database: FreshDatabase, { organizationId, id }: Group): Promise<void> => {
  const client = await database.client();
  const of = [organizationId, id];
  await client.query(`insert into users (id, email, name) select ${usr}, 'd' || n || '@example.com', 'd' from ${people}`);
  await client.query(`insert into members (organization_id, id, user_id, role_id) select $1, ${mem}, ${usr}, $2 from ${people}`, [
    organizationId,
    getBuiltInRole('viewer').id,
  ]);
  await client.query(
    `insert into scim_users (organization_id, id, user_id, user_name, email, made_user)
     select $1, ${mem}, ${usr}, 'd' || n, 'd' || n || '@example.com', true from ${people}`,
    [organizationId],
  );
  await client.query(
    `insert into scim_groups (organization_id, id, display_name) select $1, ${other}, repeat('n', 290) || g from ${others}`,
    of,
  );
  await client.query(`insert into scim_group_members (organization_id, group_id, member_id) select $1, $2, ${mem} from ${people}`, of);
  await client.query(
    `insert into scim_group_members (organization_id, group_id, member_id) select $1, ${other}, ${mem} from ${people}, ${others}`,
    of,
  );
  await client.query('analyze users, members, scim_users, scim_group_members');
  await client.end();
};

/** A change for 5,000 people in one transaction blocks the event feed for everyone for its duration. */
export const attack: Attack<Prepared> = {
  title: 'a directory of a tenant gives 5,000 people of a group another role with each of its requests',
  alone: true,
  prepare: async ({ newHostile, controlUrl, planes }) => {
    const { organization_id, token } = (await newHostile()).tenant;
    const { token: directory } = await newControlClient(controlUrl, token).createScimToken({ body: {} });
    const group_roles = (['developer', 'auditor'] as const).map((name, at) => ({ group: NAMES[at], role_id: getBuiltInRole(name).id }));
    await mustCall(controlUrl, 'PATCH', '/v1/sso/scim', { token, body: { group_roles } });
    const raw = JSON.stringify({ displayName: 'Everybody' });
    const { id } = (await call(controlUrl, 'POST', '/scim/v2/Groups', { token: directory, headers: SCIM, raw })).json;
    await fillGroups(planes.database, { organizationId: organization_id, id });
    return { controlUrl, token: directory, path: `/scim/v2/Groups/${id}` };
  },
  spend: async ({ controlUrl, token, path }, signal) => {
    const agent = createUnauthenticatedAgent(4);
    await runInParallel(4, signal, (turn) => {
      const Operations = [{ op: 'replace', path: 'displayName', value: NAMES[turn % NAMES.length] }];
      return ask(agent, controlUrl, { method: 'PATCH', path, token, headers: SCIM, body: JSON.stringify({ schemas: PATCH, Operations }) });
    });
  },
};
