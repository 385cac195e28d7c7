-- A segment whose events are gone becomes an empty one and is not removed: so one that is not there is one that is missing, and what it summed up
-- is looked through one by one until it is summed up again. Those that were removed before are made anew.
revoke delete on audit_search_segments from svc_reader;
grant update (first_id, last_id, first_ids, last_ids, full_chunks, blocks, bits) on audit_search_segments to svc_reader;
comment on column audit_search_segments.last_id is 'The highest identifier of an event in it; empty where all of its events are gone.';
comment on table audit_search_marks is 'Where the next stretch of each organization is summed up. What is summed up the segments tell that are there.';
