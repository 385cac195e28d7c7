-- Each event carries a MAC that its writer computes under a key derived from the installation key, over the organization, the id and the leaf
-- hash of the event. The owner of the database does not have that key, so an event that the owner inserts is not sealed: the sealer notes it
-- here and passes over it. The program that applies this migration authenticates the events that are not sealed yet, once.
alter table audit_events add column mac bytea;
comment on column audit_events.mac is 'HMAC-SHA256, cut to 128 bits, by the writer; null for an event from before events had one.';
grant insert (mac) on audit_events to svc_app, svc_recorder, svc_gateway;
alter type recorded_event add attribute mac bytea cascade;

-- A program of an earlier version fails where it would write an event that is never sealed.
create policy audit_events_authenticated on audit_events as restrictive for insert to svc_app, svc_recorder, svc_gateway with check (mac is not null);

create table audit_rejected_events (
  organization_id text not null,
  event_id text not null,
  rejected_at timestamptz not null default now(),
  primary key (organization_id, event_id)
);
comment on table audit_rejected_events is 'Events that the sealer passed over because the service did not write them: their MAC is missing or wrong.';

create table audit_rejections (
  organization_id text primary key,
  rejected bigint not null default 0,
  reported bigint not null default 0,
  reported_at timestamptz,
  adopted bigint not null default 0,
  adopted_reported boolean not null default true
);
comment on table audit_rejections is 'How many events of an organization were rejected, and how many of them its record reports.';
comment on column audit_rejections.adopted is 'Events from before events had a MAC that were not sealed at the migration and were authenticated then.';

do $$
declare
  t text;
begin
  foreach t in array array['audit_rejected_events', 'audit_rejections'] loop
    perform svc_guard(t::regclass, array['svc_app']);
    execute format('create policy %I on %I for all to svc_reader using (true) with check (true)', t || '_sealed', t);
    execute format('grant select on %I to svc_app', t);
    execute format('grant select, insert on %I to svc_reader', t);
  end loop;
end $$;
grant update (rejected) on audit_rejections to svc_reader;
grant update (reported, reported_at, adopted_reported) on audit_rejections to svc_app;

-- The job that reports rejections in the record finds the organizations that have any.
create policy audit_rejections_found on audit_rejections for select to svc_identity using (true);
grant select on audit_rejections to svc_identity;

-- Both are kept as long as the events are.
do $$
declare
  before text := (select prosrc from pg_proc where oid = 'svc_outlives_its_tenant(name)'::regprocedure);
begin
  execute format('create or replace function svc_outlives_its_tenant(called name) returns boolean language sql immutable parallel safe as %L',
    before || ' or called in (''audit_rejected_events'', ''audit_rejections'')');
end $$;
