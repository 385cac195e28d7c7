-- Push configs of partners: where the gateway sends the state changes of a task of a published agent.
alter table a2a_push_configs
  add column sealed_target bytea,
  add column told_task_id text,
  add column told_state text,
  add column approval_id text,
  add column due_at timestamptz,
  add column attempts integer not null default 0;
comment on column a2a_push_configs.sealed_target is 'Address, token and authentication of the partner, sealed under a key of the installation for this row; null for a push config of an agent.';
comment on column a2a_push_configs.told_task_id is 'Id by which the partner knows the task.';
comment on column a2a_push_configs.told_state is 'State of the task that the partner is notified of.';
comment on column a2a_push_configs.approval_id is 'The approval that the message of the partner waits for; null if it was delivered.';
comment on column a2a_push_configs.due_at is 'When the partner is notified next; null if it knows the state.';
comment on column a2a_push_configs.attempts is 'Attempts to notify the partner of this state.';
create index a2a_push_configs_by_due_notification on a2a_push_configs (due_at) where due_at is not null;
grant update (sealed_target, told_task_id, told_state, approval_id, due_at, attempts) on a2a_push_configs to svc_gateway;
grant update (told_state, due_at, attempts) on a2a_push_configs to svc_app;

-- The worker finds due notifications of all tenants, and nothing else of them.
create policy a2a_push_configs_by_due_notification on a2a_push_configs for select to svc_identity using (true);
grant select (organization_id, connection_id, id, due_at) on a2a_push_configs to svc_identity;

-- The name of a connection is in the events of its notifications.
grant select (name) on a2a_connections to svc_recorder;
