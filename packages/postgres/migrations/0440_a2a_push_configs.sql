-- Push notifications of remote agents: which agent receives them for which task, and the digest of the token that proves them.
create table a2a_push_configs (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  connection_id text not null,
  id text not null,
  agent_id text not null,
  action_id text not null,
  task_id text,
  token_hash text not null,
  seen text[] not null default '{}',
  created_at timestamptz not null,
  primary key (organization_id, connection_id, id),
  constraint a2a_push_configs_belong_to_a_connection foreign key (organization_id, connection_id) references a2a_connections (organization_id, id) on delete cascade,
  constraint a2a_push_configs_token_is_unique unique (organization_id, connection_id, token_hash)
);
comment on table a2a_push_configs is 'Push notifications that agents requested of remote agents, each for one task.';
comment on column a2a_push_configs.task_id is 'The task; null until the remote agent names it in its answer or its first notification.';
comment on column a2a_push_configs.token_hash is 'HMAC-SHA256 of the token that each notification carries, under a key of the installation.';
comment on column a2a_push_configs.seen is 'SHA-256 of each accepted notification (replay protection).';
create index a2a_push_configs_by_task on a2a_push_configs (organization_id, connection_id, agent_id, task_id);
create index a2a_push_configs_by_age on a2a_push_configs (organization_id, connection_id, created_at);
select svc_guard('a2a_push_configs', array['svc_app', 'svc_gateway']);
grant select, delete on a2a_push_configs to svc_app;
grant select, insert, delete on a2a_push_configs to svc_gateway;
grant update (task_id, seen) on a2a_push_configs to svc_gateway;
