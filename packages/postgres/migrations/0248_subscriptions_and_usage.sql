-- The operator sets the subscription; programs that are run for oneself leave it active. It is no state that a tenant can change.
alter table organizations add column subscription text not null default 'ACTIVE'
  constraint organizations_subscription_is_known check (subscription in ('ACTIVE', 'LAPSED'));
comment on column organizations.subscription is 'LAPSED refuses requests that create something; decisions and stops do not depend on it.';

create table usage_days (
  organization_id text not null references organizations (id),
  day date not null,
  decisions bigint not null,
  recorded_at timestamptz not null,
  primary key (organization_id, day)
);
comment on table usage_days is 'Usage of each organization on each day in UTC, counted once after the day has ended.';
comment on column usage_days.decisions is 'Recorded decisions of all environments and modes.';
alter table usage_days enable row level security;
alter table usage_days force row level security;
create policy usage_days_of_the_tenant on usage_days for all to svc_app
  using (organization_id = svc_organization()) with check (organization_id = svc_organization());
create policy usage_days_found on usage_days for select to svc_identity using (true);
grant select, insert on usage_days to svc_app;
grant select on usage_days to svc_identity;
