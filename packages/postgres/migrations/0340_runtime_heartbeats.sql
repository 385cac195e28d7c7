-- Hook files of managed instances report what runs, and ask before a workflow starts.
create table runtime_heartbeats (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  process_id text not null,
  at timestamptz not null,
  product_version text,
  hook_sha256 text not null,
  levers jsonb not null,
  probe jsonb,
  primary key (organization_id, runtime_id, process_id),
  constraint runtime_heartbeats_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_heartbeats is 'The newest heartbeat of each process of a managed runtime.';
comment on column runtime_heartbeats.hook_sha256 is 'SHA-256 of the hook file that runs.';
comment on column runtime_heartbeats.levers is 'SHA-256 of the value of each setting of the bundle; null for one that is not set.';
comment on column runtime_heartbeats.probe is 'Result of the last connection that the process tried to an address that its network must not reach.';

create table runtime_hook_refusals (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  runtime_id text not null,
  subject text not null,
  hour timestamptz not null,
  primary key (organization_id, runtime_id, subject, hour),
  constraint runtime_hook_refusals_are_of_a_runtime foreign key (organization_id, runtime_id) references runtimes (organization_id, id) on delete cascade
);
comment on table runtime_hook_refusals is 'Refused requests of hook files, one of a workflow and hour, so that one event is written for them.';

alter table runtimes add column hook_observations jsonb not null default '[]';
comment on column runtimes.hook_observations is 'What heartbeats showed when the status was last computed. Verification runs keep them as evidence.';

select svc_guard('runtime_heartbeats', array['svc_app', 'svc_gateway']);
select svc_guard('runtime_hook_refusals', array['svc_app', 'svc_gateway']);
grant select, delete on runtime_heartbeats, runtime_hook_refusals to svc_app;
grant select, insert, delete on runtime_heartbeats to svc_gateway;
grant update (at, product_version, hook_sha256, levers, probe) on runtime_heartbeats to svc_gateway;
grant select, insert, delete on runtime_hook_refusals to svc_gateway;
