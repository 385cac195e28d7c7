-- Several rules may ask people at once, each so many of its own role; the quorum is of all of them together.
alter table approvals add column role_quorums integer[];
comment on column approvals.role_quorums is
  'How many people of each of approver_roles, in their order. Null in approvals from before: the quorum where there is one role, and otherwise one of each.';
