create table actions (
  organization_id text not null,
  id text not null,
  environment_id text not null,
  workspace_id text not null,
  agent_id text not null,
  agent_name text not null,
  tool_id text,
  tool text not null,
  principal_type text not null,
  principal_id text not null,
  decision text not null,
  status text not null,
  mode text not null,
  code text,
  reason text not null,
  amount bigint,
  currency text,
  destination text,
  parameters json not null,
  explanation json not null,
  execution json,
  approval_id text,
  request_id text not null,
  trace_id text not null,
  idempotency_key text,
  idempotency_hash bytea,
  environment_epoch bigint not null,
  agent_epoch bigint not null,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (organization_id, id)
);
create index actions_by_agent on actions (organization_id, agent_id, id);
create unique index actions_use_an_idempotency_key_once on actions (organization_id, principal_id, idempotency_key)
  where idempotency_key is not null;
create index actions_keyed_by_age on actions (created_at) where idempotency_key is not null;
create index actions_in_execution on actions (created_at) where status = 'EXECUTING';
comment on table actions is 'One decision each: request, authority, rules consulted, approval and outcome.';
comment on column actions.environment_epoch is 'The governance state the decision was made on; checked by the statement that wrote this row.';

create table approvals (
  organization_id text not null,
  id text not null,
  action_id text not null,
  agent_id text not null,
  environment_id text not null,
  workspace_id text not null,
  status text not null default 'PENDING',
  request_hash bytea not null,
  requested_by_type text not null,
  requested_by_id text not null,
  approver_roles text[] not null,
  quorum integer not null,
  step_up boolean not null,
  reason text not null,
  denial_reason text,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  decided_at timestamptz,
  consumed_at timestamptz,
  consumed_by_key text,
  consumed_by_hash bytea,
  primary key (organization_id, id),
  constraint approvals_hold_one_action unique (organization_id, action_id),
  constraint approvals_belong_to_an_action foreign key (organization_id, action_id) references actions (organization_id, id),
  constraint approvals_status_is_known check (status in ('PENDING', 'APPROVED', 'DENIED', 'EXPIRED', 'CANCELLED', 'CONSUMED'))
);
create index approvals_by_agent on approvals (organization_id, agent_id, id);
create index approvals_waiting on approvals (expires_at) where status in ('PENDING', 'APPROVED');
create index approvals_by_the_key_that_used_them on approvals (organization_id, agent_id, consumed_by_key) where consumed_by_key is not null;
comment on table approvals is 'A person''s permission for one request, bound to its hash and used at most once.';

create table approval_votes (
  organization_id text not null,
  approval_id text not null,
  user_id text not null,
  vote text not null,
  comment text,
  voted_at timestamptz not null,
  primary key (organization_id, approval_id, user_id),
  constraint approval_votes_belong_to_an_approval foreign key (organization_id, approval_id) references approvals (organization_id, id),
  constraint approval_votes_vote_is_known check (vote in ('APPROVE', 'DENY'))
);
comment on table approval_votes is 'One vote per person and approval; the quorum counts these.';
