-- Outcomes travel as decisions do, as one value for a batch; their events are those of decisions.
create type recorded_outcome as (
  organization_id text,
  id text,
  agent_id text,
  status text,
  code text,
  execution json,
  completed_at timestamptz,
  workspace_id text,
  environment_id text,
  principal_type text,
  principal_id text,
  principal_name text,
  request_id text,
  trace_id text,
  events recorded_event[]
);
comment on type recorded_outcome is
  'How an executed action went, on its way from a gateway, in binary. Never altered: gateways of two releases run side by side, and each knows its own type by every field.';

-- Who closes an action finds it once, and changes it where it was found.
grant select (ctid) on actions to svc_recorder;
