-- What an agent was let do lately is read by when it was done, also of what waited for people first.
create index approvals_by_agent_and_use on approvals (organization_id, agent_id, consumed_at) where consumed_at is not null;
