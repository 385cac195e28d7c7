-- The secret before a rotation is kept no longer than it is accepted: a job looks for those that are over.
create index credentials_with_previous_secret on credentials (previous_ends_at) where previous_ends_at is not null;
create policy credentials_swept on credentials for select to svc_identity using (true);
grant select (organization_id, previous_ends_at) on credentials to svc_identity;
