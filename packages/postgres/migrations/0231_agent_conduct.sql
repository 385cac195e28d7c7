-- How agents act, in constant space: a worker folds each decision once from the event feed, and gateways read it. No decision waits for it.
create table agent_conduct (
  organization_id text not null,
  agent_id text not null,
  version bigint not null,
  state bytea not null,
  primary key (organization_id, agent_id),
  constraint agent_conduct_is_small check (octet_length(state) <= 2000)
) with (fillfactor = 40);
alter table agent_conduct alter column state set storage plain;
comment on table agent_conduct is 'History of agents that risk signals compare with. Holds hashes and counts, never names.';
comment on column agent_conduct.version is 'Grows with each change.';

create table conduct_progress (
  only_one boolean primary key default true check (only_one),
  folded_through timestamptz not null
);
comment on table conduct_progress is 'Time up to which decisions were folded into agent_conduct.';

select svc_guard('agent_conduct', array['svc_app', 'svc_gateway']);
grant select on agent_conduct to svc_gateway;
grant select, delete on agent_conduct to svc_app;
create policy agent_conduct_folded on agent_conduct for all to svc_reader using (true) with check (true);
grant select, insert, update on agent_conduct to svc_reader;
grant select on conduct_progress to svc_gateway, svc_app;
grant select, insert, update on conduct_progress to svc_reader;
