-- An approval that was used for a call of which no byte was sent is APPROVED again. What uses it next is an action of its own, so that the
-- record of the unsent call stays as it was written.
alter table approvals add column restored_at timestamptz, add column used_by_action_id text,
  add column restorable boolean not null default true;
comment on column approvals.restored_at is 'Set when a use of the approval was undone because its call was never sent. consumed_at and the columns beside it then describe the first use.';
comment on column approvals.used_by_action_id is 'The action of the latest use after a restore. Null until then: the first use continues the action that was held.';
comment on column approvals.restorable is 'False when the approval was to be withdrawn while its call was in flight: it stays CONSUMED even if the call was never sent.';
grant update (restored_at, used_by_action_id) on approvals to svc_gateway;

alter table actions add column given_back_at timestamptz;
comment on column actions.given_back_at is 'Set when no byte of the call was sent and what the action had used was given back: its approval, and its share of limits and ceilings.';
grant update (given_back_at, idempotency_key, idempotency_hash) on actions to svc_gateway;
