-- A gateway leaves a finding where many assertions that name an agent fail.
select svc_guard('risk_notices', array['svc_app', 'svc_gateway']);
grant select, insert on risk_notices to svc_gateway;
grant update (count, last_at, score, points, sentence, evidence, last_action_id) on risk_notices to svc_gateway;

-- Risk settings have a version, counted here so that programs of an earlier release count it too.
alter table risk_settings add column version integer not null default 1;
comment on column risk_settings.version is 'Counts the changes. A change may state the version that it is based on.';
create function svc_risk_settings_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;
revoke all on function svc_risk_settings_version from public;
create trigger risk_settings_count_changes before update on risk_settings for each row execute function svc_risk_settings_version();
