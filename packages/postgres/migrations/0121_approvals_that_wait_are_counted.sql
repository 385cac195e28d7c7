-- How many requests wait for people is counted when one more is to.
create index approvals_that_wait on approvals (organization_id, agent_id, expires_at) where status = 'PENDING';
