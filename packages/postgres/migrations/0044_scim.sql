create table scim_settings (
  organization_id text not null references organizations (id),
  token_hash bytea,
  token_created_at timestamptz,
  default_role_id text not null,
  group_roles jsonb not null default '[]',
  updated_at timestamptz not null default now(),
  primary key (organization_id),
  constraint scim_settings_token_hash_is_unique unique (token_hash)
);
comment on table scim_settings is 'How a directory provisions members. Only the SHA-256 of its token is kept.';

create table scim_users (
  organization_id text not null references organizations (id),
  id text not null,
  user_id text not null references users (id),
  user_name text not null,
  external_id text,
  email text not null,
  given_name text,
  family_name text,
  display_name text,
  made_user boolean not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint scim_users_are_once_per_person unique (organization_id, user_id)
);
create unique index scim_users_name_is_unique on scim_users (organization_id, lower(user_name)) where deleted_at is null;
comment on table scim_users is 'What a directory says of a person. Its id is that of the membership, and the person is active while that is there.';

create table scim_groups (
  organization_id text not null references organizations (id),
  id text not null,
  display_name text not null,
  external_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint scim_groups_name_is_unique unique (organization_id, display_name)
);
comment on column scim_users.made_user is 'Whether the account was made by the directory. Known of those who were deleted too, should they come back.';
comment on table scim_groups is 'A group of a directory; which role it stands for is said in scim_settings.';

create table scim_group_members (
  organization_id text not null,
  group_id text not null,
  member_id text not null,
  primary key (organization_id, group_id, member_id),
  constraint scim_group_members_are_of_a_group foreign key (organization_id, group_id) references scim_groups (organization_id, id) on delete cascade,
  constraint scim_group_members_are_people foreign key (organization_id, member_id) references scim_users (organization_id, id) on delete cascade
);
create index scim_group_members_by_member on scim_group_members (organization_id, member_id);
comment on table scim_group_members is 'Who is in a group of a directory.';

select svc_guard('scim_settings', array['svc_app']);
select svc_guard('scim_users', array['svc_app']);
select svc_guard('scim_groups', array['svc_app']);
select svc_guard('scim_group_members', array['svc_app']);
grant select, insert, update on scim_settings to svc_app;
grant select, insert, update, delete on scim_users, scim_groups to svc_app;
grant select, insert, delete on scim_group_members to svc_app;
create policy scim_settings_by_token on scim_settings for select to svc_identity using (true);
grant select (organization_id, token_hash) on scim_settings to svc_identity;
