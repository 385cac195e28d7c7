-- Nobody changes or deletes an audit event, and a decision changes once at most, so there is hardly anything to clean up after: vacuum only
-- marks pages as seen by all. Begun once a minute and at full pace it took a quarter of a processor from the decisions of a busy hour.
-- Begun after a million rows and a fifth more, and at a tenth of the pace for events, it still keeps up with 8,000 of them a second.
alter table audit_events set (autovacuum_vacuum_insert_threshold = 1000000, autovacuum_vacuum_cost_delay = 20);
alter table actions set (autovacuum_vacuum_insert_threshold = 1000000);
