-- Documents of services that tools are proposed from, and what came of each of their operations.
create table tool_imports (
  organization_id text not null,
  id text not null,
  workspace_id text not null,
  environment_id text not null,
  source text not null,
  format text not null,
  title text not null,
  version text not null,
  origin text not null,
  address text,
  base_url text,
  document_hash text not null,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint tool_imports_belong_to_an_environment foreign key (organization_id, environment_id) references environments (organization_id, id),
  constraint tool_imports_origin_is_known check (origin in ('BODY', 'FILE', 'ADDRESS'))
);
comment on table tool_imports is 'Documents of services that tools are proposed from.';
comment on column tool_imports.source is 'What the document is of; the next one of the same source is compared with what was taken over.';
comment on column tool_imports.address is 'Where it was fetched, without its query.';
create index tool_imports_by_source on tool_imports (organization_id, environment_id, source, id);
select svc_guard('tool_imports', array['svc_app']);
grant select, insert, delete on tool_imports to svc_app;

create table tool_proposals (
  organization_id text not null,
  import_id text not null,
  key text not null,
  workspace_id text not null,
  environment_id text not null,
  position integer not null,
  operation text not null,
  summary text not null,
  reason text,
  declaration json,
  hashes jsonb,
  credentials json not null,
  risk_reasons text[] not null,
  notes text[] not null,
  primary key (organization_id, import_id, key),
  constraint tool_proposals_belong_to_an_import foreign key (organization_id, import_id) references tool_imports (organization_id, id) on delete cascade,
  constraint tool_proposals_are_declared_or_refused check ((reason is null) = (declaration is not null) and (declaration is null) = (hashes is null))
);
comment on table tool_proposals is 'Operations of imported documents: a declaration that could be taken over, or why there is none.';
comment on column tool_proposals.position is 'Of the operation in its document.';
comment on column tool_proposals.hashes is 'Of each member of the declaration, to tell what a later document says otherwise.';
select svc_guard('tool_proposals', array['svc_app']);
grant select, insert, delete on tool_proposals to svc_app;

-- What of a document became a tool, as it was proposed then: people may have changed the tool since, and the difference is between documents.
create table imported_tools (
  organization_id text not null,
  tool_id text not null,
  workspace_id text not null,
  environment_id text not null,
  source text not null,
  key text not null,
  operation text not null,
  declaration json not null,
  hashes jsonb not null,
  updated_at timestamptz not null,
  primary key (organization_id, environment_id, source, key),
  constraint imported_tools_belong_to_a_tool foreign key (organization_id, tool_id) references tools (organization_id, id)
);
comment on table imported_tools is 'Tools that were taken over from documents, with what the document said then.';
create index imported_tools_by_tool on imported_tools (organization_id, tool_id);
select svc_guard('imported_tools', array['svc_app']);
grant select, insert, update on imported_tools to svc_app;
