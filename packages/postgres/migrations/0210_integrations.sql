-- Applications of the catalogue that were set up: a credential, and tools of one source.
create table integrations (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  application text not null,
  name text not null,
  source text not null,
  entry_version integer not null,
  "values" jsonb not null,
  credential_id text not null,
  import_id text,
  status text not null default 'ACTIVE',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (organization_id, id),
  constraint integrations_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint integrations_belong_to_a_credential foreign key (organization_id, credential_id) references credentials (organization_id, id),
  constraint integrations_come_from_an_import foreign key (organization_id, import_id) references tool_imports (organization_id, id)
    on delete set null (import_id),
  constraint integrations_source_is_unique unique (organization_id, environment_id, source),
  constraint integrations_status_is_known check (status in ('ACTIVE', 'REMOVED'))
);
comment on table integrations is 'Applications of the catalogue that were set up.';
comment on column integrations.source is 'First part of the names of its tools, and source of their imports.';
comment on column integrations."values" is 'Entered values that are no secrets, such as a host.';
comment on column integrations.import_id is 'The newest import that its tools were applied from; null if it was deleted.';
create index integrations_by_credential on integrations (organization_id, credential_id);
create index integrations_by_import on integrations (organization_id, import_id);
select svc_guard('integrations', array['svc_app']);
grant select, insert, update on integrations to svc_app;

alter table tool_imports drop constraint tool_imports_origin_is_known;
alter table tool_imports add constraint tool_imports_origin_is_known check (origin in ('BODY', 'FILE', 'ADDRESS', 'CATALOGUE'));
