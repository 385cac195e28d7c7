-- Connections by direction: over an inbound one a remote agent sends messages to one agent, at the address where that agent answers.
alter table a2a_connections
  add column direction text not null default 'OUTBOUND',
  add column agent_id text,
  add column agent_url text,
  add column key_series integer not null default 1;
alter table a2a_connections
  add constraint a2a_connections_direction_is_known check (direction in ('OUTBOUND', 'INBOUND')),
  add constraint a2a_connections_inbound_have_an_agent check ((direction = 'INBOUND') = (agent_id is not null and agent_url is not null)),
  add constraint a2a_connections_reach_an_agent foreign key (organization_id, agent_id) references agents (organization_id, id);
comment on column a2a_connections.agent_id is 'The agent that receives the messages of an inbound connection.';
comment on column a2a_connections.agent_url is 'Address of the A2A endpoint of that agent.';
comment on column a2a_connections.key_series is 'Moves when the registered keys change. A token of the remote agent states it, so that older tokens end.';

drop trigger changed_a2a_connection_is_noted on a2a_connections;
create trigger changed_a2a_connection_is_noted after insert or delete or update of workspace_id, environment_id, name, slug, card_url, keys,
  credential_id, tool_id, status, status_reason, proof, card, former_cards, verified_key, verified_at, verified_by, created_by, created_at,
  direction, agent_id, agent_url, key_series
  on a2a_connections for each row execute function svc_note_changed_record('a2a_connection', 'organization_id', 'id');

-- Where a connection belongs is read before a tenant is known, by the role that reads it of agents.
create policy a2a_connections_by_id_for_gateways on a2a_connections for select to svc_recorder using (true);
grant select (organization_id, id, environment_id, agent_id) on a2a_connections to svc_recorder;

-- Assertions of remote agents are accepted once.
create table a2a_assertions (
  organization_id text not null,
  connection_id text not null,
  jti_hash text not null,
  expires_at timestamptz not null,
  primary key (organization_id, connection_id, jti_hash),
  constraint a2a_assertions_belong_to_a_connection foreign key (organization_id, connection_id) references a2a_connections (organization_id, id) on delete cascade
);
comment on table a2a_assertions is 'Digests of the ids of accepted assertions of remote agents, kept until none of them could be accepted again.';
create index a2a_assertions_by_age on a2a_assertions (organization_id, connection_id, expires_at);
select svc_guard('a2a_assertions', array['svc_app', 'svc_gateway']);
grant select, delete on a2a_assertions to svc_app;
grant select, insert, delete on a2a_assertions to svc_gateway;

-- The state of a task as it was seen last, so that tasks are listed without asking for each.
alter table a2a_tasks
  add column state text,
  add column context_id text,
  add column approval_id text,
  add column updated_at timestamptz;
update a2a_tasks set updated_at = created_at;
alter table a2a_tasks alter column updated_at set not null;
comment on column a2a_tasks.state is 'State of the task as it was seen last; null if it was never seen.';
comment on column a2a_tasks.approval_id is 'The approval that a message waits for; null for a task that an agent started.';
create index a2a_tasks_by_context on a2a_tasks (organization_id, agent_id, context_id) where context_id is not null;
create index a2a_tasks_by_change on a2a_tasks (organization_id, connection_id, agent_id, updated_at desc, task_id);
grant update (state, context_id, updated_at) on a2a_tasks to svc_gateway;
