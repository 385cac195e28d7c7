-- Risk and flow settings of environments. What is not chosen has the default of the type of the environment.
create table risk_settings (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  settings jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (organization_id, environment_id),
  constraint risk_settings_belong_to_an_environment foreign key (organization_id, environment_id)
    references environments (organization_id, id) on delete cascade
);
comment on table risk_settings is 'Risk and flow settings of environments: thresholds, points of signals, own destinations.';
comment on column risk_settings.settings is 'Chosen members only.';

create function svc_risk_settings_changed() returns trigger language plpgsql as $$
begin
  perform svc_bump_environment(coalesce(new.organization_id, old.organization_id), coalesce(new.environment_id, old.environment_id));
  return null;
end $$;
revoke all on function svc_risk_settings_changed from public;
create trigger risk_settings_move_the_epoch after insert or update or delete on risk_settings
  for each row execute function svc_risk_settings_changed();

select svc_guard('risk_settings', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on risk_settings to svc_app;
grant select on risk_settings to svc_gateway;

-- Time of the last change of a declaration. A tool that was not changed since its registration has none.
alter table tools add column declared_at timestamptz;
comment on column tools.declared_at is 'Time of the last change of the declaration; null if it is as it was registered.';
create function svc_tool_declared() returns trigger language plpgsql as $$
begin
  if new.declaration_version <> old.declaration_version then
    new.declared_at := statement_timestamp();
  end if;
  return new;
end $$;
revoke all on function svc_tool_declared from public;
create trigger changed_declaration_has_a_time before update on tools for each row execute function svc_tool_declared();
