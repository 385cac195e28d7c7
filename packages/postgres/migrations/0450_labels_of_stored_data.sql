-- Data that an agent stores under a key, such as a file or a memory, keeps the labels of the agent for whoever reads the key.
create table kept_labels (
  organization_id text not null,
  environment_id text not null,
  workspace_id text not null,
  key_mark text not null,
  labels text[] not null default '{}',
  sources jsonb not null default '[]',
  is_overflowing boolean not null default false,
  stored_at timestamptz not null,
  primary key (organization_id, environment_id, key_mark),
  constraint kept_labels_belong_to_an_environment foreign key (organization_id, environment_id)
    references environments (organization_id, id) on delete cascade
);
comment on table kept_labels is 'Labels of data that agents stored under a key of a store.';
comment on column kept_labels.key_mark is 'Keyed hash of the key; * for data stored under no readable key, or beyond the maximum number of keys.';
comment on column kept_labels.sources is 'Tool, host, readers (hashes) and action of each label, at most 32.';
comment on column kept_labels.is_overflowing is 'True if there are more sources than are kept. Every outgoing request then counts as a transfer of the labels.';

select svc_guard('kept_labels', array['svc_app', 'svc_gateway']);
grant select, insert, update, delete on kept_labels to svc_app;
grant select, insert on kept_labels to svc_gateway;
grant update (labels, sources, is_overflowing, stored_at) on kept_labels to svc_gateway;
