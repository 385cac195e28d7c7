-- Each program compares the schema with its own version when it starts.
grant select on schema_migrations to svc_app, svc_gateway, svc_identity, svc_reader, svc_recorder;
