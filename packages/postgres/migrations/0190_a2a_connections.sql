-- Connections to remote agents (Agent2Agent). A connection is used only after the card of the remote agent was verified with a registered key.
alter table tools drop constraint tools_kind_is_known;
alter table tools add constraint tools_kind_is_known check (kind in ('HTTP', 'MCP', 'SDK', 'A2A'));

create table a2a_connections (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  name text not null,
  slug text not null,
  card_url text not null,
  keys jsonb not null,
  credential_id text,
  tool_id text not null,
  status text not null default 'PENDING',
  status_reason text,
  proof text,
  card jsonb,
  former_cards text[] not null default '{}',
  verified_key text,
  verified_at timestamptz,
  verified_by text,
  checks jsonb not null default '[]',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint a2a_connections_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint a2a_connections_have_a_tool foreign key (organization_id, tool_id) references tools (organization_id, id),
  constraint a2a_connections_name_is_unique unique (organization_id, environment_id, name),
  constraint a2a_connections_slug_is_unique unique (organization_id, environment_id, slug),
  constraint a2a_connections_tool_is_unique unique (organization_id, tool_id),
  constraint a2a_connections_status_is_known check (status in ('PENDING', 'VERIFIED', 'STALE', 'BLOCKED')),
  constraint a2a_connections_proof_is_known check (proof in ('CARD', 'CARD_AND_CHALLENGE')),
  constraint a2a_connections_in_use_were_verified check (status <> 'VERIFIED' or (card is not null and proof is not null and verified_key is not null))
);
comment on table a2a_connections is 'Remote agents that agents of an environment may send messages to.';
comment on column a2a_connections.keys is 'Public JSON Web Keys that the card may be signed with, each with its kid.';
comment on column a2a_connections.tool_id is 'The governed tool that messages are decided as.';
comment on column a2a_connections.card is 'Facts of the verified card: where messages are sent, and the digest of its bytes.';
comment on column a2a_connections.former_cards is 'Digests of cards that a newer one replaced, newest first; none of them is accepted again.';
comment on column a2a_connections.checks is 'Checks of the last verification, each with its result.';

create table a2a_tasks (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  connection_id text not null,
  task_id text not null,
  agent_id text not null,
  action_id text not null,
  created_at timestamptz not null,
  primary key (organization_id, connection_id, task_id),
  constraint a2a_tasks_belong_to_a_connection foreign key (organization_id, connection_id) references a2a_connections (organization_id, id) on delete cascade
);
comment on table a2a_tasks is 'Tasks of remote agents, each with the agent that started it. No other agent reads, continues or cancels it.';
create index a2a_tasks_by_age on a2a_tasks (organization_id, connection_id, created_at);

-- A change of what decisions read moves the epoch of its environment, once for all rows of a statement.
create function svc_a2a_rows_changed() returns trigger language plpgsql as $$
declare
  place record;
begin
  for place in select distinct organization_id, environment_id from changed_rows order by 1, 2 loop
    perform svc_bump_environment(place.organization_id, place.environment_id);
  end loop;
  return null;
end $$;
revoke all on function svc_a2a_rows_changed from public;
create trigger a2a_connection_added_moves_the_epoch after insert on a2a_connections referencing new table as changed_rows
  for each statement execute function svc_a2a_rows_changed();
create trigger a2a_connection_changed_moves_the_epoch after update on a2a_connections referencing new table as changed_rows
  for each statement execute function svc_a2a_rows_changed();
create trigger a2a_connection_removed_moves_the_epoch after delete on a2a_connections referencing old table as changed_rows
  for each statement execute function svc_a2a_rows_changed();

create trigger changed_a2a_connection_is_noted after insert or delete or update of workspace_id, environment_id, name, slug, card_url, keys,
  credential_id, tool_id, status, status_reason, proof, card, former_cards, verified_key, verified_at, verified_by, created_by, created_at
  on a2a_connections for each row execute function svc_note_changed_record('a2a_connection', 'organization_id', 'id');

select svc_guard('a2a_connections', array['svc_app', 'svc_gateway']);
select svc_guard('a2a_tasks', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on a2a_connections to svc_app;
grant select on a2a_connections to svc_gateway;
grant select, delete on a2a_tasks to svc_app;
grant select, insert, delete on a2a_tasks to svc_gateway;
