-- Test calls of credentials that began lately, so that all control planes together keep to the same rate.
create table credential_tests (
  organization_id text not null,
  lease_id text not null,
  credential_id text not null,
  began_at timestamptz not null,
  primary key (organization_id, lease_id),
  constraint credential_tests_are_of_a_credential foreign key (organization_id, credential_id) references credentials (organization_id, id)
);
comment on table credential_tests is 'When a credential was last sent to try it: counted, and dropped by the next test of the organization.';
select svc_guard('credential_tests', array['svc_app']);
grant select, insert, delete on credential_tests to svc_app;
