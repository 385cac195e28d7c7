-- What a tool declares may be changed. Each declaration has a number, and approvals are bound to the one they were asked for under.
alter table tools add column declaration_version integer not null default 1,
  add constraint tools_are_declared_in_versions check (declaration_version >= 1);
comment on column tools.declaration_version is 'Number of the declaration that stands here; approvals asked for under another one serve no more.';

create table tool_versions (
  organization_id text not null,
  workspace_id text not null,
  environment_id text not null,
  tool_id text not null,
  version_number integer not null,
  declaration json not null,
  created_at timestamptz not null,
  created_by text,
  primary key (organization_id, tool_id, version_number),
  constraint tool_versions_belong_to_a_tool foreign key (organization_id, tool_id) references tools (organization_id, id),
  constraint tool_versions_count_from_one check (version_number >= 1)
);
comment on table tool_versions is 'What tools declared, each time it was changed. That of a tool never changed may stand in tools alone.';
comment on column tool_versions.declaration is 'As it may be shown: without anything that is a secret.';
comment on column tool_versions.created_by is 'Who declared it so. Null in declarations from before this was kept.';
select svc_guard('tool_versions', array['svc_app']);
grant select, insert on tool_versions to svc_app;
