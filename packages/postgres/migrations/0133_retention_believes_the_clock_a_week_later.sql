-- The newest sealed event by which retention believes the clock: one that is a week old by that clock. A machine whose clock jumps ahead takes its
-- database, its identifiers and so its newest events along; those of before the jump are what it believes for a week, in which somebody may notice.
-- A log without one that old believes its oldest leaf: nothing of it may go.
create or replace function svc_audit_newest(organization text) returns text language sql stable
  as $$ select coalesce(
    (select max(event_id) from audit_leaves where organization_id = organization and event_id < svc_first_id('evt', clock_timestamp() - interval '7 days')),
    (select min(event_id) from audit_leaves where organization_id = organization)) $$;
