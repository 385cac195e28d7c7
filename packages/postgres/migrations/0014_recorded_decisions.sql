-- A batch of decisions travels as one value, which the database reads field by field where it stands: for less than as many arrays as there
-- are columns, whose elements it had to count off for each row.
create type recorded_event as (id text, type text, severity text, data json);
create type recorded_decision as (
  organization_id text,
  id text,
  environment_id text,
  workspace_id text,
  agent_id text,
  agent_name text,
  tool_id text,
  tool text,
  principal_type text,
  principal_id text,
  decision text,
  status text,
  mode text,
  code text,
  reason text,
  amount bigint,
  currency text,
  destination text,
  parameters json,
  explanation json,
  execution json,
  approval_id text,
  request_id text,
  trace_id text,
  idempotency_key text,
  idempotency_hash bytea,
  environment_epoch bigint,
  agent_epoch bigint,
  created_at timestamptz,
  completed_at timestamptz,
  principal_name text,
  events recorded_event[]
);
comment on type recorded_decision is
  'A decision on its way from a gateway, in binary. Never altered: gateways of two releases run side by side, and each knows its own type by every field.';
