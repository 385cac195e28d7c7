-- An event that changes a record carries a digest of what it leaves on the row. The salt is part of the digested document and stays on the row, so
-- that the digest in an event tells nothing of values once the row is gone. The revision counts changes of the row that carry a digest: events of
-- concurrent transactions are sealed in the order of their transaction ids, which need not be the order in which they changed the row.
alter table actions
  add column declaration_version bigint,
  add column request_hmac bytea,
  add column digest_salt bytea,
  add column digest_revision bigint not null default 0;
comment on column actions.declaration_version is 'The declaration of the tool that the decision was made on; null where no tool was found.';
comment on column actions.request_hmac is 'HMAC-SHA256 of the request as it came, before anything was masked, under a key of the installation.';
comment on column actions.digest_salt is 'Salt of the digests in the events of this action; null where it was recorded before there were any.';
comment on column actions.digest_revision is 'Counts the changes of this row whose events carry a digest.';

grant update (declaration_version, request_hmac, digest_salt, digest_revision, amount, currency, destination, parameters) on actions to svc_gateway;
grant select (digest_revision), update (digest_revision) on actions to svc_recorder;

-- A type of its own beside recorded_decision, which gateways of the previous release still send.
create type recorded_action as (
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
  declaration_version bigint,
  request_hmac bytea,
  digest_salt bytea,
  principal_name text,
  events recorded_event[]
);
comment on type recorded_action is
  'A decision on its way from a gateway, in binary. Never altered: gateways of two releases run side by side, and each knows its own type by every field.';
