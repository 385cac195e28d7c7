create table exchange_rates (
  organization_id text not null references organizations (id),
  id text not null,
  base_currency text not null,
  quote_currency text not null,
  rate text not null,
  source text not null,
  effective_at timestamptz not null,
  created_at timestamptz not null,
  created_by text not null,
  deleted_at timestamptz,
  primary key (organization_id, id),
  constraint exchange_rates_base_currency_is_iso_4217 check (base_currency ~ '^[A-Z]{3}$'),
  constraint exchange_rates_quote_currency_is_iso_4217 check (quote_currency ~ '^[A-Z]{3}$'),
  constraint exchange_rates_join_two_currencies check (base_currency <> quote_currency),
  constraint exchange_rates_rate_is_a_positive_decimal check (rate ~ '^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$' and rate ~ '[1-9]'),
  constraint exchange_rates_source_is_known check (source in ('MANUAL', 'AUTOMATIC')),
  constraint exchange_rates_only_manual_ones_are_deleted check (deleted_at is null or source = 'MANUAL')
);
-- A pair is one whichever way round it is stated; the newest of a pair and source is the first of its entries.
create index exchange_rates_by_pair on exchange_rates
  (organization_id, least(base_currency, quote_currency), greatest(base_currency, quote_currency), source, effective_at desc, id desc)
  where deleted_at is null;
comment on table exchange_rates is 'Every rate there ever was; none is changed. A deleted one is out of force and stays for those who ask what a decision rested on.';
comment on column exchange_rates.rate is 'Decimal text, so that no floating point comes near it: units of the quote currency for one of the base currency.';

create table exchange_rate_refreshes (
  organization_id text not null references organizations (id),
  base_currency text not null,
  attempted_at timestamptz not null,
  succeeded_at timestamptz,
  failure text,
  primary key (organization_id)
);
comment on table exchange_rate_refreshes is 'How the last fetch of automatic rates went. Whoever moves attempted_at is the one that fetches.';

-- By statement, so that a fetch of many rates moves each epoch once.
create function svc_exchange_rates_changed() returns trigger language plpgsql as $$
begin
  -- Always in the same order, so that two changes at the same moment wait for each other and never in a circle.
  perform svc_bump_environment(e.organization_id, e.environment_id) from (
    select organization_id, environment_id from environment_epochs
     where organization_id in (select organization_id from changed) order by organization_id, environment_id) e;
  return null;
end $$;
create trigger new_exchange_rates_move_the_epochs after insert on exchange_rates
  referencing new table as changed for each statement execute function svc_exchange_rates_changed();
create trigger changed_exchange_rates_move_the_epochs after update on exchange_rates
  referencing new table as changed for each statement execute function svc_exchange_rates_changed();
create trigger deleted_exchange_rates_move_the_epochs after delete on exchange_rates
  referencing old table as changed for each statement execute function svc_exchange_rates_changed();

-- The amounts in a version's rules and tests are in this currency for ever, whatever becomes the base currency later.
alter table policy_versions add column currency text
  constraint policy_versions_currency_is_iso_4217 check (currency ~ '^[A-Z]{3}$');
-- The owner migrates every tenant at once.
alter table policy_versions no force row level security;
alter table organizations no force row level security;
update policy_versions v set currency = o.base_currency from organizations o where o.id = v.organization_id;
alter table policy_versions force row level security;
alter table organizations force row level security;
alter table policy_versions alter column currency set not null;
comment on column policy_versions.currency is 'What the amounts of the version are written in.';

create function svc_currency_of_new_version() returns trigger language plpgsql as $$
begin
  new.currency := coalesce(new.currency, (select base_currency from organizations where id = new.organization_id));
  return new;
end $$;
create trigger new_version_is_written_in_the_base_currency before insert on policy_versions
  for each row execute function svc_currency_of_new_version();

create function svc_keep_currency_of_version() returns trigger language plpgsql as $$
begin
  raise exception 'the currency of a policy version cannot be changed' using errcode = 'restrict_violation';
end $$;
create trigger version_keeps_its_currency before update of currency on policy_versions
  for each row when (new.currency is distinct from old.currency) execute function svc_keep_currency_of_version();

do $$
declare
  t text;
begin
  foreach t in array array['exchange_rates', 'exchange_rate_refreshes']
  loop
    execute format('alter table %I enable row level security', t);
    execute format('alter table %I force row level security', t);
    execute format('create policy %I on %I for all to svc_app using (organization_id = svc_organization()) with check (organization_id = svc_organization())',
      t || '_of_the_tenant', t);
    execute format('grant select, insert on %I to svc_app', t);
  end loop;
end $$;
grant update (deleted_at) on exchange_rates to svc_app;
grant update on exchange_rate_refreshes to svc_app;
create policy exchange_rate_refreshes_swept on exchange_rate_refreshes for select to svc_identity using (true);
grant select (organization_id, base_currency, attempted_at) on exchange_rate_refreshes to svc_identity;
