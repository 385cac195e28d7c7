-- Requests to hosted code assist by hour, which its budget is counted by. Sources are not stored.
create table code_assist_uses (
  organization_id text not null references organizations (id),
  hour timestamptz not null,
  requests integer not null,
  primary key (organization_id, hour)
);
comment on table code_assist_uses is 'Requests to hosted code assist of each organization by hour.';
select svc_guard('code_assist_uses', array['svc_app']);
grant select, insert, update, delete on code_assist_uses to svc_app;
