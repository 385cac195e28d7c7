-- A token opens while its maker holds each role that the directory gives: so whoever looks it up reads which these are.
grant select (default_role_id, group_roles) on scim_settings to svc_identity;
