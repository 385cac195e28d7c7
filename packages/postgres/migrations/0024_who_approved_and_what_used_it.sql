-- Who gave an approval, kept where decisions read it, since gateways see no votes; and the ids of the request that used it up, which are
-- others than those of the request that was held.
alter table approvals add column approved_by text[], add column consumed_request_id text, add column consumed_trace_id text;
comment on column approvals.approved_by is 'People whose votes completed the quorum. Null until then, and in approvals from before this was kept.';
comment on column approvals.consumed_request_id is 'The request that used it up. Null until then, and in approvals from before this was kept.';
create index approvals_by_the_request_that_used_them on approvals (organization_id, consumed_request_id) where consumed_request_id is not null;
grant update (consumed_request_id, consumed_trace_id) on approvals to svc_gateway;

-- What waits in one environment, in the order of asking.
create index approvals_by_environment on approvals (organization_id, environment_id, id);
