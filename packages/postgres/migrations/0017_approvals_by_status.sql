-- What waits for people is listed often and is a small part of all there ever was.
create index approvals_by_status on approvals (organization_id, status, id);
