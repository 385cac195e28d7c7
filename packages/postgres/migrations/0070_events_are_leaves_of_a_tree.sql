-- Of each organization the events are the leaves of one Merkle tree (RFC 6962), in the order in which the feed tells them. A leaf is kept apart
-- from its event, which nobody changes, and stays when the event is dropped by retention.
create table audit_leaves (
  organization_id text not null,
  leaf_index bigint not null,
  event_id text not null,
  leaf_hash bytea not null,
  primary key (organization_id, leaf_index),
  unique (organization_id, event_id)
);
comment on table audit_leaves is 'The place of each sealed event in the tree of its organization, and the hash of what it said then.';
comment on column audit_leaves.leaf_index is 'From 0 on without a gap; what is told as sequence.';
comment on column audit_leaves.leaf_hash is 'SHA-256 of a zero byte and the canonical JSON (RFC 8785) of the event as it is told, without its sequence.';

-- Tiles of level 0 are leaves; those above hold the hashes of whole tiles below.
create table audit_tiles (
  organization_id text not null,
  level smallint not null,
  tile bigint not null,
  hashes bytea not null,
  primary key (organization_id, level, tile)
);
comment on table audit_tiles is 'Tiles of the tree above its leaves, by the numbers of C2SP tlog-tiles; the last of each level is not full.';
comment on column audit_tiles.hashes is 'Up to 256 hashes of 32 bytes, one after the other.';

create table audit_trees (
  organization_id text primary key,
  size bigint not null,
  root_hash bytea not null,
  edge bytea not null,
  checkpoint text not null,
  sealed_at timestamptz not null default now(),
  held_since timestamptz
);
comment on table audit_trees is 'How far the events of an organization are sealed, with the newest signed checkpoint.';
comment on column audit_trees.edge is 'Hashes of the whole subtrees that the tree is made of, the largest first: what it grows from.';
comment on column audit_trees.checkpoint is 'Signed note (C2SP tlog-checkpoint).';
comment on column audit_trees.held_since is 'Since when nothing is sealed, because what is kept here is not what was signed; null while all is well.';

create table audit_checkpoints (
  organization_id text not null,
  size bigint not null,
  root_hash bytea not null,
  note text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, size)
);
comment on table audit_checkpoints is 'Checkpoints of the past, one of every few minutes in which something was sealed.';

do $$
declare
  t text;
begin
  foreach t in array array['audit_leaves', 'audit_tiles', 'audit_trees', 'audit_checkpoints'] loop
    perform svc_guard(t::regclass, array['svc_app']);
    execute format('create policy %I on %I for all to svc_reader using (true) with check (true)', t || '_sealed', t);
    execute format('grant select on %I to svc_app', t);
    execute format('grant select, insert on %I to svc_reader', t);
  end loop;
end $$;
grant update (hashes) on audit_tiles to svc_reader;
grant update (size, root_hash, edge, checkpoint, sealed_at, held_since) on audit_trees to svc_reader;

-- Whoever seals signs, with the platform's key, which the first process of an installation makes, whichever it is.
grant select, insert on platform_keys to svc_reader;

-- What an event was is kept as long as the event is.
create or replace function svc_outlives_its_tenant(called name) returns boolean language sql immutable parallel safe
  as $$ select called in ('audit_events', 'deletion_certificates', 'audit_leaves', 'audit_tiles', 'audit_trees', 'audit_checkpoints') $$;

-- What verifies tells an event that nobody has sealed yet from one that was slipped in behind the sealer's back.
grant select (consumer, transaction_id, id) on feed_positions to svc_app;
