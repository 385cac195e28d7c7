-- An id belongs to one organization alone, so whoever is looked for by id is found without it; every decision writes three of these entries.
drop index audit_events_by_subject;
create index audit_events_by_subject on audit_events (subject_id, id);
drop index actions_by_agent;
create index actions_by_agent on actions (agent_id, id);
