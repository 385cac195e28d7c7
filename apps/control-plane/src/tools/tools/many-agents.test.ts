import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LIMITS } from '@svc/contract/tables/limits.ts';
import { newAgent } from '@svc/testing/agents/agent.ts';
import { type Governed, newGoverned } from '@svc/testing/agents/governed.ts';
import { countStatements } from '@svc/testing/database/count-statements.ts';
import { leasePlanes } from '@svc/testing/planes/lease/lease-planes.ts';
import type { Planes } from '@svc/testing/planes/start-planes.ts';
import type pg from 'pg';

const { agentsPerToolMax } = LIMITS.tools;

let planes: Planes;
let owner: pg.Client;
let governed: Governed;
before(async () => {
  planes = await leasePlanes();
  owner = await planes.database.client();
  governed = await newGoverned(planes);
  const { agent, tool, tenant } = governed;
  // Up to the maximum of authorized agents, including the existing one.
  await owner.query(
    `with made as (
       insert into agents select (a).* from (
         select json_populate_record(a, json_build_object('id', left(a.id, 20) || lpad(n::text, 10, '0'), 'name', 'many-' || n)) as a
           from agents a, generate_series(2, ${agentsPerToolMax}) n where a.id = $1) copies returning id)
     insert into tool_agents (organization_id, tool_id, agent_id, authorized_by) select $2, $3, id, 'test' from made`,
    [agent.id, tenant.organization_id, tool.id],
  );
});
after(async () => {
  await owner.end();
  await planes.stop();
});

test('a tool has a limited number of agents, and all but the kept ones are withdrawn in one statement', async () => {
  const { agent, tool, tenant, owner: send } = governed;
  const path = `/v1/tools/${tool.id}`;
  const another = await newAgent(tenant);
  const refused = await send('POST', `${path}/agents`, { agent_id: another.id });
  assert.deepEqual([refused.status, refused.json.error?.code], [422, 'UNPROCESSABLE'], refused.text.slice(0, 300));
  const twice = await send('POST', `${path}/agents`, { agent_id: agent.id });
  assert.equal(twice.json.error?.code, 'ALREADY_EXISTS');

  await owner.query('create temp table known as select agent_id, epoch from agent_epochs where organization_id = $1', [
    tenant.organization_id,
  ]);
  const deletes = await countStatements(owner, 'tool_agents', 'delete');
  const restricted = await send('POST', `${path}/restrict`, { agent_ids: [agent.id], reason: 'Only this one.' });
  const made = await deletes.count();
  await deletes.end();
  assert.equal(restricted.status, 200, restricted.text.slice(0, 300));
  assert.deepEqual(restricted.json.authorized_agent_ids, [agent.id]);
  assert.equal(made, 1);
  const { rows: moved } = await owner.query(
    'select count(*)::int as n from known k join agent_epochs e using (agent_id) where e.epoch <> k.epoch',
  );
  assert.deepEqual(moved, [{ n: agentsPerToolMax - 1 }], 'every agent that was withdrawn is decided anew');
  const { rows: told } = await owner.query(
    `select json_array_length(data->'withdrawn') as n from audit_events where subject_id = $1 and type = 'tool.restricted'`,
    [tool.id],
  );
  assert.deepEqual(told, [{ n: agentsPerToolMax - 1 }]);

  assert.equal((await send('POST', `${path}/agents`, { agent_id: another.id })).status, 201);
});
