-- A token counts for as long as the membership lasts in which it was made: who comes back makes another.
grant select (token_created_at) on scim_settings to svc_identity;
