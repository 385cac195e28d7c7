-- A stop that a person made is lifted by a person. An API key is refused where a row is here.
create table stops_by_people (
  organization_id text not null,
  subject_id text not null,
  stop text not null,
  stopped_by text,
  stopped_at timestamptz not null,
  primary key (organization_id, subject_id, stop)
);
comment on table stops_by_people is 'Stops of agents and tools that a person or an operator made and that no person has lifted.';
comment on column stops_by_people.subject_id is 'The agent or tool.';
comment on column stops_by_people.stop is 'STATUS: paused, suspended, isolated or disabled. END: an agent has an end. capability NAME: withdrawn from the agent. agent ID: withdrawn from the tool.';
comment on column stops_by_people.stopped_by is 'Null for a stop from before this was kept: its maker is not known.';
select svc_guard('stops_by_people'::regclass, array['svc_app']);
grant select, insert, delete on stops_by_people to svc_app;

-- The makers of existing stops are not known, so that a person lifts them. The owner reads all tenants meanwhile.
alter table agents no force row level security;
alter table tools no force row level security;
alter table stops_by_people no force row level security;
insert into stops_by_people (organization_id, subject_id, stop, stopped_at)
  select organization_id, id, 'STATUS', updated_at from agents where status in ('PAUSED', 'SUSPENDED', 'ISOLATED')
   union all select organization_id, id, 'END', updated_at from agents where expires_at is not null
   union all select organization_id, id, 'STATUS', updated_at from tools where status = 'DISABLED';
alter table agents force row level security;
alter table tools force row level security;
alter table stops_by_people force row level security;
