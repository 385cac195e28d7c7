-- Events carry digests of every record that they change, not of actions alone. A trigger notes which records a transaction changed; what writes the
-- events of the transaction digests these records as it leaves them. The salt, the number of changes and the newest event of each are kept here.
create table covered_records (
  organization_id text not null,
  record_type text not null,
  record_id text not null,
  salt bytea not null default uuid_send(gen_random_uuid()),
  revision bigint not null default 0,
  event_id text not null,
  primary key (organization_id, record_type, record_id)
);
comment on table covered_records is 'Records whose rows are covered by digests in events. A record from before that is added by its next change.';
comment on column covered_records.salt is 'Part of the digested document, so that an event says nothing of the values in a row.';
comment on column covered_records.revision is 'Counts the changes of the record. It orders its events, which may be sealed in another order.';
comment on column covered_records.event_id is 'The newest event that covers the record.';
select svc_guard('covered_records'::regclass, array['svc_app', 'svc_gateway']);
grant select, insert, update (revision, event_id) on covered_records to svc_app, svc_gateway;

-- Notes the records of changed rows in a setting of the transaction: one line of organization, type and id each. Arguments: the type, the column
-- with the organization, and the columns that name the record. A row that moves from one record to another changes both.
create function svc_note_changed_record() returns trigger language plpgsql as $$
declare
  noted text := coalesce(current_setting('svc.changed_records', true), '');
  changed jsonb;
  organization text;
  id text;
  line text;
begin
  foreach changed in array case tg_op when 'INSERT' then array[to_jsonb(new)] when 'DELETE' then array[to_jsonb(old)]
                                      else array[to_jsonb(old), to_jsonb(new)] end loop
    organization := changed ->> tg_argv[1];
    if organization is null or svc_is_erasing(organization) then continue; end if;
    id := changed ->> tg_argv[2];
    if tg_nargs > 3 then id := id || '/' || (changed ->> tg_argv[3]); end if;
    line := organization || ' ' || tg_argv[0] || ' ' || id || E'\n';
    if id is not null and strpos(noted, line) = 0 then noted := noted || line; end if;
  end loop;
  perform set_config('svc.changed_records', noted, true);
  return null;
end $$;
revoke all on function svc_note_changed_record from public;

create function svc_changed_line(changed jsonb, record_type text, organization_column text, key_column text, more_column text) returns text
language sql stable as $$
  select case when changed ->> organization_column is null or svc_is_erasing(changed ->> organization_column) then null
              else (changed ->> organization_column) || ' ' || record_type || ' ' || (changed ->> key_column)
                   || coalesce('/' || (changed ->> more_column), '') || E'\n' end
$$;

-- The same for all rows of a statement, of tables whose covered columns are all of them: a statement may change thousands of rows.
create function svc_note_changed_records() returns trigger language plpgsql as $$
declare
  lines text;
begin
  if tg_op = 'INSERT' then
    select string_agg(distinct line, '') into lines from (
      select svc_changed_line(to_jsonb(n), tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]) as line from new_rows n) as made where line is not null;
  elsif tg_op = 'DELETE' then
    select string_agg(distinct line, '') into lines from (
      select svc_changed_line(to_jsonb(o), tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]) as line from old_rows o) as made where line is not null;
  else
    select string_agg(distinct line, '') into lines from (
      select svc_changed_line(to_jsonb(n), tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]) as line from new_rows n
      union select svc_changed_line(to_jsonb(o), tg_argv[0], tg_argv[1], tg_argv[2], tg_argv[3]) from old_rows o) as made where line is not null;
  end if;
  if lines is not null then
    perform set_config('svc.changed_records', coalesce(current_setting('svc.changed_records', true), '') || lines, true);
  end if;
  return null;
end $$;
revoke all on function svc_note_changed_records from public;

-- `columns` names the covered columns of tables whose other columns change often.
do $$
declare
  t record;
  op record;
begin
  for t in select * from (values
    ('policies', 'policy', 'organization_id', 'id', null, null),
    ('policy_bindings', 'policy', 'organization_id', 'policy_id', null, null),
    ('policy_versions', 'policy', 'organization_id', 'policy_id', null, null),
    ('policy_versions', 'policy_version', 'organization_id', 'id', null, null),
    ('policy_invariants', 'policy_invariant', 'organization_id', 'id', null, null),
    ('approvals', 'approval', 'organization_id', 'id', null, null),
    ('approval_votes', 'approval', 'organization_id', 'approval_id', null, null),
    ('approval_handovers', 'approval', 'organization_id', 'approval_id', null, null),
    ('approval_questions', 'approval', 'organization_id', 'approval_id', null, null),
    ('approval_wordings', 'approval', 'organization_id', 'approval_id', null, null),
    ('delegations', 'delegation', 'organization_id', 'id', null, null),
    ('agents', 'agent', 'organization_id', 'id', null, null),
    ('agent_keys', 'agent', 'organization_id', 'agent_id', null, null),
    ('agent_capabilities', 'agent', 'organization_id', 'agent_id', null, null),
    ('tools', 'tool', 'organization_id', 'id', null, null),
    ('tool_agents', 'tool', 'organization_id', 'tool_id', null, null),
    ('tool_versions', 'tool', 'organization_id', 'tool_id', null, null),
    ('tool_versions', 'tool_version', 'organization_id', 'tool_id', 'version_number', null),
    ('credentials', 'credential', 'organization_id', 'id', null, null),
    ('members', 'member', 'organization_id', 'id', null, null),
    ('member_workspaces', 'member', 'organization_id', 'member_id', null, null),
    ('roles', 'role', 'organization_id', 'id', null, null),
    ('api_keys', 'api_key', 'organization_id', 'id', null,
      'id, organization_id, name, role_id, token_hash, created_by, created_at, expires_at, revoked_at, workspace_ids, allowed_networks, previous_token_hash, previous_ends_at'),
    ('environments', 'environment', 'organization_id', 'id', null, null),
    ('workspaces', 'workspace', 'organization_id', 'id', null, null),
    ('organizations', 'organization', 'id', 'id', null, null),
    ('sso_connections', 'sso_connection', 'organization_id', 'id', null, null),
    ('sso_domains', 'sso_connection', 'organization_id', 'connection_id', null, null),
    ('webhook_subscriptions', 'webhook_subscription', 'organization_id', 'id', null,
      'id, organization_id, name, url, event_types, workspace_id, environment_id, body_format, status, disabled_reason, sealed_secret, vouched_by_type, vouched_by, created_by, created_at')
  ) as given (called, record_type, organization, key, more, columns) loop
    if t.columns is not null then
      execute format('create trigger %I after insert or delete or update of %s on %I for each row execute function svc_note_changed_record(%L, %L, %L%s)',
        'changed_' || t.record_type || '_is_noted', t.columns, t.called, t.record_type, t.organization, t.key, coalesce(', ' || quote_literal(t.more), ''));
    else
      for op in select * from (values ('insert', 'new table as new_rows'), ('delete', 'old table as old_rows'),
                                      ('update', 'new table as new_rows old table as old_rows')) as ops (name, tables) loop
        execute format('create trigger %I after %s on %I referencing %s for each statement execute function svc_note_changed_records(%L, %L, %L%s)',
          'changed_' || t.record_type || '_is_noted_on_' || op.name, op.name, t.called, op.tables, t.record_type, t.organization, t.key,
          coalesce(', ' || quote_literal(t.more), ''));
      end loop;
    end if;
  end loop;
end $$;

-- A gateway opens and uses up approvals, and digests them with all that belongs to them.
grant select on approval_votes, approval_handovers to svc_gateway;
create policy approval_votes_digested on approval_votes for select to svc_gateway using (organization_id = svc_organization());
create policy approval_handovers_digested on approval_handovers for select to svc_gateway using (organization_id = svc_organization());
