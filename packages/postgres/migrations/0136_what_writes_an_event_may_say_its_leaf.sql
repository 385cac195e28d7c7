-- Whoever records decisions has all that an event tells in its hands, and says the hash of its leaf with it: the sealer then reads that hash and
-- not the event. An event without one is read whole and hashed by the sealer. It is part of nothing that is told, and when the log is verified
-- the event itself is hashed, so that a hash that is not its event's is found there.
alter table audit_events add column leaf_hash bytea;
comment on column audit_events.leaf_hash is 'The hash of its leaf, as who wrote it made it; null where the sealer makes it.';
grant insert (leaf_hash) on audit_events to svc_recorder;

alter type recorded_event add attribute leaf_hash bytea cascade;
