-- Checkpoints are told to places outside the installation, which whoever owns the database and the key cannot change afterwards.
create table audit_anchorings (
  organization_id text not null,
  anchor text not null,
  size bigint not null default 0,
  anchored_at timestamptz,
  failures integer not null default 0,
  failing_since timestamptz,
  reason text,
  conflict_since timestamptz,
  conflict_told_at timestamptz,
  next_at timestamptz not null,
  primary key (anchor, organization_id)
);
comment on table audit_anchorings is 'How far each log is anchored at each place outside, and when it is tried again.';
comment on column audit_anchorings.anchor is 'The kind of the place and which one it is; another place has a row of its own.';
comment on column audit_anchorings.size is 'Leaves of the last checkpoint that the place has taken; 0 before the first.';
comment on column audit_anchorings.failures is 'Attempts that failed since one succeeded, which say when the next one is.';
comment on column audit_anchorings.reason is 'Why the last attempt failed; null where it did not.';
comment on column audit_anchorings.conflict_since is 'Since when the place knows of another tree than the one that is kept here: the log was rolled back or written anew.';
comment on column audit_anchorings.conflict_told_at is 'When that was told in the record of the organization.';
comment on column audit_anchorings.next_at is 'Not before then; while an attempt is under way, when another worker may make it.';

create table audit_anchored (
  organization_id text not null,
  size bigint not null,
  anchor text not null,
  cosignature text,
  anchored_at timestamptz not null default now(),
  primary key (organization_id, size, anchor)
);
comment on table audit_anchored is 'Which checkpoints are anchored outside, and where. The checkpoint itself is in audit_checkpoints.';
comment on column audit_anchored.cosignature is 'The line that a witness signed (C2SP tlog-cosignature); null where the place signs nothing.';

do $$
declare
  t text;
begin
  foreach t in array array['audit_anchorings', 'audit_anchored'] loop
    perform svc_guard(t::regclass, array['svc_app']);
    execute format('create policy %I on %I for all to svc_reader using (true) with check (true)', t || '_kept', t);
    execute format('grant select, insert on %I to svc_reader', t);
    execute format('grant select on %I to svc_app', t);
  end loop;
end $$;
grant update (size, anchored_at, failures, failing_since, reason, conflict_since, conflict_told_at, next_at) on audit_anchorings to svc_reader;
grant update (conflict_told_at) on audit_anchorings to svc_app;

-- Where a log is anchored is kept as long as the log is. What is added to the list stands beside those that were in it.
do $$
declare
  before text := (select prosrc from pg_proc where oid = 'svc_outlives_its_tenant(name)'::regprocedure);
begin
  execute format('create or replace function svc_outlives_its_tenant(called name) returns boolean language sql immutable parallel safe as %L',
    before || ' or called in (''audit_anchorings'', ''audit_anchored'')');
end $$;

-- That nothing is sealed any more of a log is told in its record, once, and so is that somebody let it go on.
alter table audit_trees add column held_told_at timestamptz, add column lifted jsonb;
comment on column audit_trees.held_told_at is 'When it was told in the record that nothing is sealed; null where it was not, or all is well.';
comment on column audit_trees.lifted is 'How the operator let it go on, until that is told in the record.';
grant update (held_told_at, lifted) on audit_trees to svc_app;
grant update (held_told_at, lifted) on audit_trees to svc_reader;

-- Who looks for what is to be told, does so for all organizations.
create policy audit_trees_looked_at on audit_trees for select to svc_identity using (true);
grant select (organization_id, size, held_since, held_told_at, lifted) on audit_trees to svc_identity;
create policy audit_anchorings_looked_at on audit_anchorings for select to svc_identity using (true);
grant select (organization_id, anchor, size, reason, conflict_since, conflict_told_at) on audit_anchorings to svc_identity;
