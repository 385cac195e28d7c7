-- What a search may skip: of each whole stretch of sealed events, which words and which filters they could fit. It is made by a worker afterwards,
-- from events that are settled, and can be made anew from them at any time: nothing rests on it but how long a search takes.
create table audit_search_marks (
  organization_id text primary key references organizations (id),
  leaves bigint not null default 0,
  leased_until timestamptz not null default '-infinity'
);
comment on table audit_search_marks is 'How many leaves of each organization are summed up for searches, without a gap from the first on.';
comment on column audit_search_marks.leased_until is 'Until when a worker sums up the next stretch.';

create table audit_search_segments (
  organization_id text not null references organizations (id),
  segment bigint not null,
  first_id text not null,
  last_id text not null,
  first_ids text[] not null,
  last_ids text[] not null,
  full_chunks bit(64) not null,
  blocks integer not null,
  bits bytea not null,
  primary key (organization_id, segment)
);
-- Of its bits a search reads a few blocks, so they are kept as they are and not packed.
alter table audit_search_segments alter column bits set storage external;
create index audit_search_segments_newest on audit_search_segments (organization_id, last_id desc);
comment on table audit_search_segments is 'Signatures of 64 chunks of 128 leaves each: a search looks only at chunks that may hold what it asks for.';
comment on column audit_search_segments.segment is 'From 0 on: leaves segment * 8192 and those that follow.';
comment on column audit_search_segments.first_ids is 'The lowest identifier of an event in each chunk.';
comment on column audit_search_segments.full_chunks is 'Chunks that say too much to be told apart, and are always looked at.';
comment on column audit_search_segments.blocks is 'How many blocks its bits have.';
comment on column audit_search_segments.bits is 'Bloom filters in blocks of 128 rows, a row a bit of each chunk.';

do $$
declare
  t text;
begin
  foreach t in array array['audit_search_marks', 'audit_search_segments'] loop
    perform svc_guard(t::regclass, array['svc_app']);
    execute format('create policy %I on %I for all to svc_reader using (true) with check (true)', t || '_summed_up', t);
    execute format('grant select on %I to svc_app', t);
    execute format('grant select, insert on %I to svc_reader', t);
  end loop;
end $$;
grant update (leaves, leased_until) on audit_search_marks to svc_reader;
grant delete on audit_search_segments to svc_reader;

-- Nothing is summed up of an organization that is leaving.
create policy organizations_summed_up on organizations for select to svc_reader using (true);
grant select (id, deletes_at) on organizations to svc_reader;

-- The lowest identifier among events of the organization that the sealer has not come to. Its place in the feed is one for all organizations, so
-- the owner looks at what follows it, up to `looked_at_max` events of whomever; nothing of others is told. Not known where there are more.
create function svc_lowest_unsealed(looked_at_max integer) returns table (is_known boolean, lowest text)
  language sql stable security definer set search_path = public, pg_temp as $$
  with place as (
    select transaction_id, id from feed_positions where consumer = 'seal-events'
  ), behind as materialized (
    (select e.organization_id, e.id from place p, audit_events e where p.transaction_id = '0' and e.transaction_id = '0' and e.id > p.id
      order by e.id limit looked_at_max)
    union all
    (select e.organization_id, e.id from place p, audit_events e where e.transaction_id > '0' and e.transaction_id >= p.transaction_id
        and (e.transaction_id > p.transaction_id or e.id > p.id)
      order by e.transaction_id limit looked_at_max)
  )
  select count(*) < looked_at_max and exists (select from place), min(id) filter (where organization_id = svc_organization()) from behind
$$;
comment on function svc_lowest_unsealed is 'Below which identifier every event of the organization is sealed.';
revoke all on function svc_lowest_unsealed from public;
grant execute on function svc_lowest_unsealed to svc_app;
